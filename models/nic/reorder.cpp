// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets that overtake each other in the fabric (adaptive routing), at a responder that places
// data as they come. What executes, atomics, READs and writes with immediate, waits for its turn;
// so do acknowledgements. Not modelled: READ responses that overtake each other; a lost packet,
// which then only the time-out finds.
#include "models/nic/nic.h"

namespace gicsim::nic {

bool Nic::take_early(QueuePair& queue, const Packet& packet) {
  if (queue.failed || packet.psn == queue.expected_psn ||
      !psn_reached(queue.expected_psn, packet.psn))
    return false;
  if (!queue.early.emplace(packet.psn, packet).second) {
    ++stats_.duplicates;
    stats_.payload_discarded += packet.payload;
    return true;
  }
  ++stats_.early;
  ++stats_.packets_received;
  if (packet.kind == PacketKind::write && !packet.immediate)
    receive_data(queue, packet);
  else
    unplaced_ = 0_B;  // keeps its room
  return true;
}

void Nic::catch_up(QueuePair& queue) {
  for (auto next = queue.early.find(queue.expected_psn); next != queue.early.end();
       next = queue.early.find(queue.expected_psn)) {
    const Packet packet = next->second;
    queue.early.erase(next);
    if (packet.immediate && queue.receives == 0) {
      out_of_order(queue, packet);
      return leave_room(packet.payload);
    }
    if (packet.kind == PacketKind::write && !packet.immediate) {
      queue.expected_psn = psn_plus(queue.expected_psn, 1);
      if (packet.ack_request) owe_ack(queue, packet);
      continue;
    }
    unplaced_ = packet.payload;
    if (packet.kind == PacketKind::write)
      accept_write(queue, packet);
    else
      accept_fetch(queue, packet);
    if (unplaced_ > 0_B) leave_room(unplaced_);
    unplaced_ = 0_B;
  }
}

}  // namespace gicsim::nic
