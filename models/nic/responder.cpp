// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/errors.h"
#include "models/nic/nic.h"

namespace gicsim::nic {

/// A packet's last bit. Acknowledgements have a way of their own through the requester.
void Nic::arrive(const Packet& packet) {
  const Picoseconds now = kernel_.now();
  if (packet.kind == PacketKind::ack) {
    const Picoseconds due = now + params_.ack_handle;
    acks_.push(packet, due);
    kernel_.at<&Nic::on_ack_handled>(due, this);
    return;
  }
  const Slot slot = receiver_.serve(now);
  stats_.rx_busy += slot.end - slot.start;
  if (packet.ledger) packet.ledger->waited(slot.start - now);
  const Picoseconds due = from_wire_(now, slot.start + params_.rx);
  received_.push(packet, due);
  kernel_.at<&Nic::on_received>(due, this);
}

void Nic::on_ack_handled() {
  const Packet ack = *acks_.pop_due(kernel_.now());
  on_ack(ack);
}

/// The fork of a put: the data go on to memory, the acknowledgement goes back.
void Nic::on_received() {
  const Packet packet = *received_.pop_due(kernel_.now());
  const Picoseconds now = kernel_.now();
  QueuePair& queue = qp(packet.qpn);
  if (packet.psn != queue.expected_psn)
    throw ModelError(name(), now, "qp " + std::to_string(packet.qpn) + ": PSN " + std::to_string(packet.psn) +
                                      " instead of " + std::to_string(queue.expected_psn) +
                                      " on a wire without loss");
  queue.expected_psn = (queue.expected_psn + 1) & psn_mask;
  ++stats_.packets_received;
  stats_.payload_received += packet.payload;

  Transfer& write = port_->make();
  write.kind = Transfer::Kind::write;
  write.stage = Stage::remote_write;
  write.address = packet.address;
  write.length = packet.payload;
  if (packet.last) write.content = packet.wqe->value;
  if (packet.ledger) {
    packet.ledger->close(Stage::nic_rx, name(), now);
    Message& message = *packet.wqe->message;
    if (message.track_delivery) {
      message.delivery = message.completion;
      write.ledger = &message.delivery;
    }
  }
  port_->submit(write);
  if (!packet.ack_request) return;
  queue.ack_ledger = packet.ledger;
  if (queue.ack_due) return;
  queue.ack_due = true;
  const Slot slot = acker_.serve(now);
  stats_.ack_busy += slot.end - slot.start;
  if (packet.ledger) packet.ledger->waited(slot.start - now);
  const Picoseconds due = slot.start + params_.ack_turn;
  ack_turns_.push(&queue, due);
  kernel_.at<&Nic::on_ack_turn>(due, this);
}

/// One ACK tells of everything received so far: whatever became due meanwhile has coalesced.
void Nic::on_ack_turn() {
  QueuePair& queue = **ack_turns_.pop_due(kernel_.now());
  queue.ack_due = false;
  ++stats_.acks_sent;
  Packet ack;
  ack.kind = PacketKind::ack;
  ack.from = number_;
  ack.to = queue.config.remote_port;
  ack.qpn = queue.config.remote_qpn;
  ack.psn = (queue.expected_psn - 1) & psn_mask;
  ack.wire = overhead_.base + overhead_.aeth;
  ack.ledger = queue.ack_ledger;
  if (ack.ledger) ack.ledger->close(Stage::nic_ack, name(), kernel_.now());
  wire_->send(ack, kernel_.now());
}

}  // namespace gicsim::nic
