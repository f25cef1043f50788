// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// UD: a packet is the whole message, nobody acknowledges it, and what is lost stays lost.
// Source: InfiniBand 1.5, 9.8.2 (unreliable datagram), 10.2.5 (Q_Keys)
#include "models/nic/nic.h"

namespace gicsim::nic {
namespace {

constexpr Picoseconds longest_flight = 100ms;  ///< whatever pauses it on its way

}  // namespace

/// It is on its way to the wire: its WQE is complete, and its data have a branch of their own.
void Nic::on_datagram(Built& built) {
  Job& job = *built.datagram;
  Message* const message = job.wqe.message;
  built.packet.ledger = {};
  if (message && message->track_delivery) {
    message->delivery = message->completion;
    built.packet.ledger = &message->delivery;
  }
  complete(*built.queue, job, CqeStatus::ok);
}

/// A packet refers to its WQE as long as it may arrive.
void Nic::keep_datagram(Job& job) {
  gone_.push_back({&job, kernel_.now()});
  for (; kernel_.now() - gone_.front().second > longest_flight; gone_.pop_front())
    free_jobs_.push_back(gone_.front().first);
}

/// What stands before a datagram's payload in its receive: a GRH, or the IP header of RoCE; on InfiniBand's own subnet there is
/// none, and the bytes are left as they are. Source: InfiniBand 1.5, 11.4.1.2 and Annex A17.4.5
void Nic::put_header(QueuePair& queue, Address address) {
  if (overhead_.base != rocev2_overhead.base) return;
  Transfer& write = port_->make();
  write.kind = Transfer::Kind::write;
  write.stage = Stage::remote_write;
  write.relaxed = queue.config.relaxed_data;
  write.ordered = !write.relaxed;
  write.address = address;
  write.length = datagram_header;
  port_->submit(write);
}

void Nic::take_datagram(QueuePair& queue, const Packet& packet) {
  const bool stranger = packet.kind != PacketKind::send || packet.key != queue.config.key;
  if (stranger || queue.receives == 0 || queue.failed) {
    stats_.payload_discarded += packet.payload;
    ++stats_.datagrams_dropped;
    return;
  }
  if (!queue.datagrams.empty() || receive_under_way(queue)) {
    unplaced_ = 0_B;
    queue.datagrams.push_back(packet);
    return;
  }
  ++stats_.packets_received;
  ++queue.stats.packets_received;
  accept_send(queue, packet);
}

/// Those that a receive's WQE was read for.
void Nic::drain_datagrams(QueuePair& queue) {
  while (!queue.datagrams.empty() && (queue.receives == 0 || !receive_under_way(queue))) {
    const Packet packet = queue.datagrams.front();
    queue.datagrams.pop_front();
    unplaced_ = packet.payload;
    if (queue.receives == 0) {
      stats_.payload_discarded += packet.payload;
      ++stats_.datagrams_dropped;
    } else {
      ++stats_.packets_received;
      ++queue.stats.packets_received;
      accept_send(queue, packet);
    }
    if (unplaced_ > 0_B) leave_room(unplaced_);
  }
}

}  // namespace gicsim::nic
