// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/nic.h"

namespace gicsim::nic {

/// A packet's last bit. Acknowledgements have a way of their own through the requester.
void Nic::arrive(const Packet& packet) {
  const Picoseconds now = kernel_.now();
  if (packet.kind == PacketKind::barrier) return barrier_.arrive(packet);
  if (packet.qpn <= lost_ || !takes_packets(qp(packet.qpn).state)) [[unlikely]] {
    if (packet.qpn > lost_) ++qp(packet.qpn).dropped;
    stats_.payload_discarded += packet.payload;
    return;
  }
  if (packet.kind == PacketKind::ack || packet.kind == PacketKind::nak) {
    const Picoseconds due = now + params_.ack_handle;
    acks_.push({packet, qp(packet.qpn).responses_in}, due);
    kernel_.at<&Nic::on_ack_handled>(due, this);
    return;
  }
  if (packet.kind == PacketKind::cnp) return on_notified(packet);
  if (!take_room(packet)) return;
  if (is_response(packet.kind)) ++qp(packet.qpn).responses_in;
  enter(packet);
}

/// Its context is here, and what came before it has gone on.
void Nic::receive(const Packet& packet) {
  const Picoseconds now = kernel_.now();
  const Slot slot = receiver_.serve(unit_free(now));
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
  if (packet.ecn == Ecn::congested) notify_sender(packet);
  take(packet);
  if (unplaced_ > 0_B) leave_room(unplaced_);
}

void Nic::take(const Packet& packet) {
  if (is_response(packet.kind)) return on_response(packet);
  if (packet.service == Service::dc) return take_dynamic(packet);
  take(qp(packet.qpn), packet);
}

void Nic::take(QueuePair& queue, const Packet& packet) {
  if (queue.config.service == Service::ud) return take_datagram(queue, packet);
  if (packet.psn != queue.expected_psn || queue.failed || waits_for_receive(queue)) [[unlikely]] {
    if (queue.config.reorders && take_early(queue, packet)) return;
    return out_of_order(queue, packet);
  }
  take_next(queue, packet);
  if (!queue.early.empty()) drain(queue);
}

/// The one that is expected. @param placed  its data are in memory already
void Nic::take_next(QueuePair& queue, const Packet& packet, bool placed) {
  if (begins_receive(packet)) {
    if (queue.receives == 0) return refuse_for_now(queue, packet);
    if (receive_under_way(queue)) [[unlikely]]
      return keep(queue, packet, true);
  }
  if (packet.first && !may_serve(queue, packet)) [[unlikely]] {
    stats_.payload_discarded += packet.payload;
    return;
  }
  queue.gap = false;
  queue.nak_due.reset();
  if (queue.starved) no_longer_starved(queue);
  ++stats_.packets_received;
  ++queue.stats.packets_received;
  if (packet.kind != PacketKind::read_request) queue.newest_psn = packet.psn;
  if (packet.kind == PacketKind::write) accept_write(queue, packet, placed);
  else if (packet.kind == PacketKind::send) accept_send(queue, packet);
  else accept_fetch(queue, packet);
}

/// Where the data go their way and the acknowledgement goes another.
LedgerRef Nic::fork_delivery(const Packet& packet) {
  if (!packet.ledger) return {};
  packet.ledger->close(Stage::nic_rx, name(), kernel_.now());
  Message& message = *packet.wqe->message;
  if (!message.track_delivery) return {};
  message.delivery = message.completion;
  return &message.delivery;
}

/// The fork of a put: the data go on to memory, the acknowledgement goes back. Of a write with
/// immediate the CQE of the receive goes behind the data.
void Nic::accept_write(QueuePair& queue, const Packet& packet, bool placed) {
  queue.expected_psn = psn_plus(queue.expected_psn, 1);
  queue.msn = psn_plus(queue.msn, packet.last);
  queue.stats.rx_write_requests += packet.first;
  if (!placed) {
    stats_.payload_received += packet.payload;
    queue.stats.payload_received += packet.payload;
  }
  const LedgerRef delivery = placed && !packet.immediate ? LedgerRef{} : fork_delivery(packet);
  if (packet.payload > 0_B && !placed) put_down(queue, packet, packet.immediate ? LedgerRef{} : delivery);
  if (packet.immediate)
    post_cqe(queue, queue.config.receive_completion,
             Cqe{.qpn = queue.config.qpn,
                 .index = consume_receive(queue, packet).index,
                 .immediate = packet.wqe->immediate,
                 .opcode = CqeOpcode::write_imm_received,
                 .message = packet.wqe->message,
                 .length = packet.wqe->length},
             delivery, Stage::nic_execute);
  if (packet.ack_request) owe_ack(queue, packet);
}

/// A write's payload, where it says.
void Nic::put_down(QueuePair& queue, const Packet& packet, LedgerRef delivery) {
  Transfer& write = inbound(queue, packet, Stage::remote_write, packet.address, packet.payload);
  write.cookie = packet.wqe->data_of;
  if (packet.last) write.content = packet.wqe->value;
  write.ledger = delivery;
  place(queue, write);
}

/// A packet that isn't next. What was seen before is answered again; a gap is NAKed once, and so is what finds no
/// receive. A failed queue pair is silent.
void Nic::out_of_order(QueuePair& queue, const Packet& packet) {
  const bool expected = packet.psn == queue.expected_psn;
  if (!expected && psn_reached(packet.psn, queue.expected_psn)) {
    stats_.payload_discarded += packet.payload;
    ++stats_.duplicates;
    ++queue.stats.duplicate_request;
    if (queue.failed) return;
    if (packet.ledger) packet.ledger->close(Stage::nic_rx, name(), kernel_.now());
    if (packet.kind != PacketKind::write && packet.kind != PacketKind::send) return repeat_fetch(queue, packet);
    if (packet.ack_request || transport_.duplicates == Duplicates::each) owe_ack(queue, packet);
    return;
  }
  if (queue.failed) {
    stats_.payload_discarded += packet.payload;
    ++stats_.out_of_sequence;
    ++queue.stats.out_of_sequence;
    return;
  }
  if (selective()) return keep_beyond(queue, packet);
  if (waits_for_receive(queue)) return wait_behind(queue, packet);
  stats_.payload_discarded += packet.payload;
  ++stats_.out_of_sequence;
  ++queue.stats.out_of_sequence;
  if (std::exchange(queue.gap, true)) return;
  owe_nak(queue, Syndrome::sequence_nak);
}

/// What is next finds no receive: it has to come again, and so has all behind it. Each time that it comes in vain it is
/// NAKed.
void Nic::refuse_for_now(QueuePair& queue, const Packet& packet) {
  stats_.payload_discarded += packet.payload;
  ++stats_.out_of_sequence;
  ++queue.stats.out_of_buffer;
  queue.starved = true;
  queue.gap = !transport_.nak_behind_rnr;
  ++stats_.rnr_naks;
  owe_nak(queue, Syndrome::rnr_nak);
}

/// What is next waits for its receive's WQE: what comes in order behind it waits, too, as in a pipeline that stands.
void Nic::wait_behind(QueuePair& queue, const Packet& packet) {
  if (psn_plus(queue.early.rbegin()->first, psns_of(queue, queue.early.rbegin()->second.packet)) == packet.psn)
    return keep(queue, packet, true);
  stats_.payload_discarded += packet.payload;
  const bool known = queue.early.contains(packet.psn);
  ++(known ? stats_.duplicates : stats_.out_of_sequence);
  ++(known ? queue.stats.duplicate_request : queue.stats.out_of_sequence);
}

bool Nic::waits_for_receive(const QueuePair& queue) {
  return !queue.early.empty() && queue.early.begin()->first == queue.expected_psn;
}

/// A READ request takes as many PSNs as it has responses.
std::int64_t Nic::psns_of(const QueuePair& queue, const Packet& packet) {
  if (packet.kind != PacketKind::read_request) return 1;
  return std::max<std::int64_t>(1, pieces(packet.length, queue.mtu));
}

}  // namespace gicsim::nic
