// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/nic.h"

namespace gicsim::nic {

/// A packet's last bit. Acknowledgements have a way of their own through the requester.
void Nic::arrive(const Packet& packet) {
  const Picoseconds now = kernel_.now();
  if (packet.kind == PacketKind::barrier) return barrier_.arrive(packet);
  if (packet.qpn <= lost_ || port_down_) [[unlikely]] {
    stats_.payload_discarded += packet.payload;
    return;
  }
  if (packet.kind == PacketKind::ack || packet.kind == PacketKind::nak) {
    const Picoseconds due = now + params_.ack_handle;
    acks_.push({packet, qp(packet.qpn).responses_in}, due);
    kernel_.at<&Nic::on_ack_handled>(due, this);
    return;
  }
  if (!take_room(packet)) return;
  if (is_response(packet.kind)) ++qp(packet.qpn).responses_in;
  const Slot slot = receiver_.serve(now);
  stats_.rx_busy += slot.end - slot.start;
  if (packet.ledger) packet.ledger->waited(slot.start - now);
  const Picoseconds due = from_wire_(now, slot.start + params_.rx);
  received_.push(packet, due);
  kernel_.at<&Nic::on_received>(due, this);
}

/// Requests are accepted in order of their PSNs.
void Nic::on_received() {
  const Packet packet = *received_.pop_due(kernel_.now());
  unplaced_ = packet.payload;
  take(packet);
  if (unplaced_ > 0_B) leave_room(unplaced_);
}

void Nic::take(const Packet& packet) {
  if (is_response(packet.kind)) return on_response(packet);
  QueuePair& queue = qp(packet.qpn);
  const bool receiver_missing = packet.immediate && queue.receives == 0;
  if (packet.psn != queue.expected_psn || receiver_missing || queue.failed) [[unlikely]]
    return out_of_order(queue, packet);
  queue.gap = false;
  queue.nak_due.reset();
  ++stats_.packets_received;
  if (packet.kind == PacketKind::write) accept_write(queue, packet);
  else accept_fetch(queue, packet);
}

/// The fork of a put: the data go on to memory, the acknowledgement goes back. Of a write with
/// immediate the CQE of the receive goes behind the data.
void Nic::accept_write(QueuePair& queue, const Packet& packet) {
  queue.expected_psn = psn_plus(queue.expected_psn, 1);
  stats_.payload_received += packet.payload;
  LedgerRef delivery;
  if (packet.ledger) {
    packet.ledger->close(Stage::nic_rx, name(), kernel_.now());
    Message& message = *packet.wqe->message;
    if (message.track_delivery) {
      message.delivery = message.completion;
      delivery = &message.delivery;
    }
  }
  if (packet.payload > 0_B) {
    Transfer& write = inbound(queue, packet, Stage::remote_write, packet.address, packet.payload);
    write.cookie = packet.wqe->data_of;
    if (packet.last) write.content = packet.wqe->value;
    if (!packet.immediate) write.ledger = delivery;
    place(queue, write);
  }
  if (packet.immediate) {
    --queue.receives;
    post_cqe(queue, queue.config.receive_completion,
             Cqe{.qpn = queue.config.qpn,
                 .index = queue.received++,
                 .immediate = packet.wqe->immediate,
                 .opcode = CqeOpcode::write_imm_received,
                 .message = packet.wqe->message},
             delivery, Stage::nic_execute);
  }
  if (packet.ack_request) owe_ack(queue, packet);
}

/// A packet that isn't next. What was seen before is answered again; a gap is NAKed once, and so is
/// a write with immediate that finds no receive. A failed queue pair is silent.
void Nic::out_of_order(QueuePair& queue, const Packet& packet) {
  stats_.payload_discarded += packet.payload;
  const bool expected = packet.psn == queue.expected_psn;
  if (!expected && psn_reached(packet.psn, queue.expected_psn)) {
    ++stats_.duplicates;
    if (queue.failed) return;
    if (packet.ledger) packet.ledger->close(Stage::nic_rx, name(), kernel_.now());
    if (packet.kind != PacketKind::write) return repeat_fetch(queue, packet);
    if (packet.ack_request) owe_ack(queue, packet);
    return;
  }
  ++stats_.out_of_sequence;
  if (queue.failed || std::exchange(queue.gap, true)) return;
  queue.nak_due = expected ? Syndrome::rnr_nak : Syndrome::sequence_nak;
  take_turn(queue);
}

void Nic::owe_ack(QueuePair& queue, const Packet& packet) {
  queue.ack_psn = packet.psn;
  queue.ack_ledger = packet.ledger;
  take_turn(queue);
}

/// ACKs and NAKs are in order with the responses, so they wait until those are on the wire.
void Nic::take_turn(QueuePair& queue) {
  if (queue.ack_due) return;
  if (!queue.replies.empty()) {
    queue.ack_deferred = true;
    return;
  }
  queue.ack_due = true;
  const Slot slot = acker_.serve(kernel_.now());
  stats_.ack_busy += slot.end - slot.start;
  if (queue.ack_ledger) queue.ack_ledger->waited(slot.start - kernel_.now());
  const Picoseconds due = slot.start + params_.ack_turn;
  ack_turns_.push(&queue, due);
  kernel_.at<&Nic::on_ack_turn>(due, this);
}

/// One ACK tells of everything received so far: whatever became due meanwhile has coalesced. A READ
/// or atomic that came meanwhile and is to be answered sets its limit.
void Nic::on_ack_turn() {
  QueuePair& queue = **ack_turns_.pop_due(kernel_.now());
  queue.ack_due = false;
  Packet ack;
  ack.psn = psn_plus(queue.expected_psn, -1);
  if (!queue.replies.empty()) {
    ack.psn = psn_plus(queue.replies.front()->first_psn, -1);
    if (queue.nak_due || !psn_reached(queue.ack_psn, ack.psn)) {
      queue.ack_deferred = true;
      return;
    }
  }
  ack.kind = PacketKind::ack;
  if (queue.nak_due) {
    ack.kind = PacketKind::nak;
    ack.syndrome = *queue.nak_due;
    ack.psn = queue.expected_psn;
    queue.nak_due.reset();
  }
  ++(ack.kind == PacketKind::ack ? stats_.acks_sent : stats_.naks_sent);
  ack.from = number_;
  ack.to = queue.config.remote_port;
  ack.qpn = queue.config.remote_qpn;
  ack.wire = overhead_.on_wire(ack);
  ack.ledger = std::exchange(queue.ack_ledger, {});
  if (ack.ledger) ack.ledger->close(Stage::nic_ack, name(), kernel_.now());
  if (!port_down_) wire_->send(ack, kernel_.now());
}

}  // namespace gicsim::nic
