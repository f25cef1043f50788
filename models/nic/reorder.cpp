// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets that overtake each other in the fabric (adaptive routing), at a responder that places
// data as they come. What executes, atomics, READs, SENDs and writes with immediate, waits for its turn;
// so do acknowledgements, and at the requester READ responses (selective.cpp keeps them). Not modelled: a lost packet's NAK; only
// the time-out finds that it is missing.
#include "models/nic/nic.h"

namespace gicsim::nic {

bool Nic::take_early(QueuePair& queue, const Packet& packet) {
  if (queue.failed || packet.psn == queue.expected_psn || !psn_reached(queue.expected_psn, packet.psn)) return false;
  if (queue.early.contains(packet.psn)) {
    ++stats_.duplicates;
    ++queue.stats.duplicate_request;
    stats_.payload_discarded += packet.payload;
    return true;
  }
  ++stats_.early;
  const bool placed = packet.kind == PacketKind::write && !packet.immediate && packet.payload > 0_B;
  if (placed) {
    stats_.payload_received += packet.payload;
    queue.stats.payload_received += packet.payload;
    put_down(queue, packet, fork_delivery(packet));
  }
  keep(queue, packet, !placed);
  queue.early.at(packet.psn).placed = placed;
  return true;
}

}  // namespace gicsim::nic
