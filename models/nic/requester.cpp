// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/nic/nic.h"

namespace gicsim::nic {

void Nic::on_decoded() {
  const Decoding done = *decoding_.pop_due(kernel_.now());
  Job& job = *done.job;
  --done.qp->in_decode;
  if (job.wqe.message) job.wqe.message->completion.close(Stage::wqe_decode, name(), kernel_.now());
  if (done.qp->failed) return complete(*done.qp, job, CqeStatus::flushed);
  if (const CqeStatus status = may_execute(job); status != CqeStatus::ok) [[unlikely]] {
    done.qp->decoded.push_back(&job);
    return flush(*done.qp, &job, status);
  }
  done.qp->decoded.push_back(&job);
  if (!job.buffered) return pump_packets(*done.qp);
  want_payload(*done.qp, false);
  pump_payload();
}

/// Packets leave in the queue pair's order; each goes through the build pipeline. A READ or atomic
/// needs one of a few slots, and whatever is behind it waits with it.
void Nic::pump_packets(QueuePair& queue) {
  if (!queue.repairs.empty()) pump_repairs(queue);
  while (!queue.decoded.empty() && !queue.paused) {
    Job& job = *queue.decoded.front();
    const bool fetch = is_fetch(job.wqe.opcode);
    if (fetch ? queue.fetches_out == queue.fetches : job.sent == job.here) return;
    if (selective() && !in_window(queue, job)) return;
    if (job.wqe.service == Service::dc && !connected(queue, job)) return;
    if (!job.buffered && held_back(queue)) return;
    if (!job.numbered) {
      job.numbered = true;
      job.first_psn = queue.next_psn;
      queue.next_psn = psn_plus(job.first_psn, job.packets);
    }
    Packet packet = next_packet(queue, job);
    if (packet.last && job.wqe.message) {
      Ledger& ledger = job.wqe.message->completion;
      const Stage until_now = job.again ? job.lost : Stage::nic_wait;
      if (until_now == Stage::nic_wait) ledger.waited(kernel_.now() - ledger.last());
      ledger.close(until_now, name(), kernel_.now());
      packet.ledger = &ledger;
    }
    if (!job.buffered) charge(queue, packet.payload);
    const bool datagram = job.wqe.service == Service::ud;
    build(queue, packet, job.buffered, nullptr, datagram ? &job : nullptr);
    if (job.sent < job.packets) continue;
    if (!datagram) queue.unacknowledged.push_back(&job);
    queue.decoded.pop_front();
    if (queue.read_at > 0) --queue.read_at;
    if (ahead(queue) + 1 == fetch_->prefetch) {  // room again
      want_fetch(queue);
      pump_fetch();
    }
    if (!fetch) continue;
    count_fetches(queue, 1);
    want_payload(queue, false);
    pump_payload();
  }
}

Packet Nic::next_packet(QueuePair& queue, Job& job) {
  const bool fetch = is_fetch(job.wqe.opcode);
  if (fetch ? job.high > 0 : job.sent < job.high) ++stats_.resent, ++queue.stats.retransmitted;
  Packet packet = packet_at(queue, job, job.sent);
  if (selective() && (job.sent + 1) % (transport_.reorder / 2) == 0) packet.ack_request = true;
  packet.ack_request = packet.ack_request || ++queue.unasked == transport_.ack_request_every;
  if (packet.ack_request) queue.unasked = 0;
  job.sent = fetch ? job.packets : job.sent + 1;
  return packet;
}

/// The n-th of a message; of a READ or atomic, its request from the first response on that is missing.
Packet Nic::packet_at(const QueuePair& queue, const Job& job, std::int64_t index) {
  const Wqe& wqe = job.wqe;
  Packet packet;
  packet.wqe = &wqe;
  packet.address = wqe.remote;
  if (is_fetch(wqe.opcode)) {
    const Bytes begin = queue.mtu * job.received;
    packet.kind = is_atomic(wqe.opcode) ? PacketKind::atomic_request : PacketKind::read_request;
    packet.first = packet.last = packet.ack_request = true;
    packet.psn = missing_psn(job);
    packet.address += static_cast<Address>(begin.count());
    packet.length = wqe.length - begin;
    return packet;
  }
  const Bytes begin = queue.mtu * index;
  packet.psn = psn_plus(job.first_psn, index);
  packet.first = index == 0;
  packet.last = packet.ack_request = index + 1 == job.packets;
  packet.kind = is_send(wqe.opcode) ? PacketKind::send : PacketKind::write;
  packet.immediate = packet.last && (wqe.opcode == Opcode::rdma_write_imm || wqe.opcode == Opcode::send_imm);
  packet.payload = std::min(queue.mtu, wqe.length - begin);
  packet.address += static_cast<Address>(begin.count());
  return packet;
}

/// Requests and responses share the packetiser.
void Nic::build(QueuePair& queue, Packet& packet, bool buffered, Reply* reply, Job* datagram) {
  address(packet, queue);
  packet.buffered = buffered;
  if (queue.limiter) packet.ecn = Ecn::capable;
  if (datagram) {
    const AddressVector& to = datagram->wqe.to;
    packet.service = Service::ud;
    packet.to = to.port;
    packet.qpn = to.qpn;
    packet.key = to.key;
    packet.ack_request = false;
  }
  if (queue.config.service == Service::dc && is_request(packet.kind)) {
    packet.service = Service::dc;
    packet.key = queue.target.key;
  }
  packet.wire = overhead_.on_wire(packet);
  const Slot slot = builder_.serve(unit_free(kernel_.now()));
  stats_.tx_busy += slot.end - slot.start;
  ++stats_.packets_sent;
  stats_.payload_sent += packet.payload;
  ++queue.stats.packets_sent;
  queue.stats.payload_sent += packet.payload;
  if (packet.ledger) packet.ledger->waited(slot.start - kernel_.now());
  const Picoseconds due = slot.start + params_.tx;
  built_.push({&queue, packet, buffered, reply, datagram}, due);
  kernel_.at<&Nic::on_built>(due, this);
}

void Nic::on_built() {
  Built built = *built_.pop_due(kernel_.now());
  if (built.packet.ledger) built.packet.ledger->close(Stage::nic_tx, name(), kernel_.now());
  if (built.datagram) on_datagram(built);
  const Picoseconds left = emit(built.packet);
  if (built.packet.ack_request) start_timer(*built.queue);
  if (built.reply && --built.reply->building == 0 && built.reply->sent == built.reply->packets) retire(*built.reply);
  if (!built.buffered) return;
  if (left == Picoseconds::max()) return;  // on_sent() will tell
  leave_buffer(built.packet.payload, left);
  if (!to_read_.empty()) pump_payload();
}

/// An ACK is handled in less time than data; but it doesn't overtake responses that came before it.
void Nic::on_ack_handled() {
  QueuePair::Held held = *acks_.pop_due(kernel_.now());
  QueuePair& queue = qp(held.ack.qpn);
  if (held.after > queue.responses_done) queue.held.push_back(std::move(held));
  else handle(queue, held.ack);
}

void Nic::handle(QueuePair& queue, const Packet& ack) {
  if (ack.syndrome == Syndrome::sequence_nak) ++queue.stats.packet_seq_err;
  if (ack.syndrome == Syndrome::rnr_nak) ++queue.stats.rnr_nak_retry_err;
  if (ack.kind == PacketKind::ack) {
    queue.gone_back = false;
    if (transport_.ack_ends_fetch && ends_fetch(queue, ack.psn)) return;
    return acknowledge(queue, ack.psn);
  }
  acknowledge(queue, psn_plus(ack.psn, -1));
  if (ack.missing > 0) return queue.paused || queue.failed ? void() : on_gap(queue, ack);
  const Job* job = oldest(queue);
  if (!job || queue.oldest_psn != ack.psn) return;
  switch (ack.syndrome) {
    case Syndrome::invalid_request_nak: return fail(queue, ack.psn, CqeStatus::remote_invalid_request, "NAK 0x61");
    case Syndrome::access_nak: return fail(queue, ack.psn, CqeStatus::remote_access, "NAK 0x62");
    case Syndrome::operation_nak: return fail(queue, ack.psn, CqeStatus::remote_operation, "NAK 0x63");
    case Syndrome::sequence_nak:
      if (std::exchange(queue.gone_back, true) && transport_.nak_again == NakAgain::ignored) return;
      return queue.paused ? void() : retry(queue, ack.psn);
    case Syndrome::rnr_nak: return queue.paused ? void() : not_ready(queue, ack);
    case Syndrome::ack: break;
  }
}

/// `ack_ends_fetch`. @return whether it did
bool Nic::ends_fetch(QueuePair& queue, std::uint32_t psn) {
  acknowledge(queue, psn_plus(psn, -1));
  Job* const job = oldest(queue);
  if (!job || !is_fetch(job->wqe.opcode) || missing_psn(*job) != psn || job->last_psn() != psn) return false;
  queue.oldest_psn = psn_plus(psn, 1);
  pop_oldest(queue);
  complete(queue, *job, CqeStatus::ok);
  progress(queue);
  go_on(queue);
  return true;
}

/// A response acknowledges all before it. One that isn't next is of no use.
void Nic::on_response(const Packet& packet) {
  QueuePair& queue = qp(packet.qpn);
  acknowledge(queue, psn_plus(packet.psn, -1));
  Job* const job = oldest(queue);
  if (job && is_fetch(job->wqe.opcode) && missing_psn(*job) == packet.psn) {
    queue.gone_back = false;
    take_response(queue, *job, packet);
  } else if (!keep_response(queue, packet)) {
    const bool gap = psn_reached(queue.oldest_psn, packet.psn);
    ++(gap ? stats_.out_of_sequence : stats_.duplicates);
    ++(gap ? queue.stats.out_of_sequence_responses : queue.stats.duplicate_responses);
    stats_.payload_discarded += packet.payload;
  }
  ++queue.responses_done;
  while (!queue.held.empty() && queue.held.front().after <= queue.responses_done) {
    const Packet ack = queue.held.front().ack;
    queue.held.pop_front();
    handle(queue, ack);
  }
  if (selective() || queue.config.reorders) go_through(queue);
}

/// The data go to local memory, the CQE follows them on the same way.
void Nic::take_response(QueuePair& queue, Job& job, const Packet& packet) {
  ++stats_.packets_received;
  stats_.payload_received += packet.payload;
  ++queue.stats.packets_received;
  queue.stats.payload_received += packet.payload;
  const bool atomic = is_atomic(job.wqe.opcode);
  if (packet.ledger) packet.ledger->close(Stage::nic_rx, name(), kernel_.now());
  if (atomic || packet.payload > 0_B) {
    const Bytes from = queue.mtu * job.received;
    const Bytes length = scatter(queue, packet, job.wqe, from, atomic ? 8_B : packet.payload);
    const Address rest = static_cast<Address>((from + (atomic ? 8_B : packet.payload) - length).count());
    Transfer& write = inbound(queue, packet, Stage::response_write, job.wqe.local + rest, length);
    write.cookie = job.wqe.data_of;
    if (job.received + 1 == job.packets) write.content = packet.value;
    if (Message* message = job.wqe.message; !atomic && message && packet.ledger && message->track_delivery) {
      message->delivery = message->completion;
      write.ledger = &message->delivery;
    }
    place(queue, write);
  }
  ++job.received;
  queue.oldest_psn = psn_plus(packet.psn, 1);
  if (job.received == job.packets) {
    pop_oldest(queue);
    complete(queue, job, CqeStatus::ok);
  }
  progress(queue);
  go_on(queue);
}

}  // namespace gicsim::nic
