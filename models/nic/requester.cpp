// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/nic/nic.h"

namespace gicsim::nic {

void Nic::on_decoded() {
  const Decoding done = *decoding_.pop_due(kernel_.now());
  Job& job = *done.job;
  if (job.wqe.message) job.wqe.message->completion.close(Stage::wqe_decode, name(), kernel_.now());
  if (done.qp->failed) return complete(*done.qp, job, CqeStatus::flushed);
  done.qp->decoded.push_back(&job);
  if (!job.buffered) return pump_packets(*done.qp);
  want_payload(*done.qp, false);
  pump_payload();
}

/// Packets leave in the queue pair's order; each goes through the build pipeline. A READ or atomic
/// needs one of a few slots, and whatever is behind it waits with it.
void Nic::pump_packets(QueuePair& queue) {
  while (!queue.decoded.empty() && !queue.paused) {
    Job& job = *queue.decoded.front();
    const bool fetch = is_fetch(job.wqe.opcode);
    if (fetch ? queue.fetches_out == queue.fetches : job.sent == job.here) return;
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
    build(queue, packet, job.buffered, nullptr);
    if (job.sent < job.packets) continue;
    queue.unacknowledged.push_back(&job);
    queue.decoded.pop_front();
    if (queue.read_at > 0) --queue.read_at;
    if (!fetch) continue;
    ++queue.fetches_out;
    want_payload(queue, false);
    pump_payload();
  }
}

Packet Nic::next_packet(QueuePair& queue, Job& job) {
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
    if (job.high > 0) ++stats_.resent;
    job.sent = job.packets;
    return packet;
  }
  const Bytes begin = queue.mtu * job.sent;
  if (job.sent < job.high) ++stats_.resent;
  packet.psn = psn_plus(job.first_psn, job.sent);
  packet.first = job.sent == 0;
  packet.last = packet.ack_request = ++job.sent == job.packets;
  packet.immediate = packet.last && wqe.opcode == Opcode::rdma_write_imm;
  packet.payload = std::min(queue.mtu, wqe.length - begin);
  packet.address += static_cast<Address>(begin.count());
  return packet;
}

/// Requests and responses share the packetiser.
void Nic::build(QueuePair& queue, Packet& packet, bool buffered, Reply* reply) {
  packet.from = number_;
  packet.to = queue.config.remote_port;
  packet.qpn = queue.config.remote_qpn;
  packet.wire = overhead_.on_wire(packet);
  const Slot slot = builder_.serve(kernel_.now());
  stats_.tx_busy += slot.end - slot.start;
  ++stats_.packets_sent;
  stats_.payload_sent += packet.payload;
  if (packet.ledger) packet.ledger->waited(slot.start - kernel_.now());
  const Picoseconds due = slot.start + params_.tx;
  built_.push({&queue, packet, buffered, reply}, due);
  kernel_.at<&Nic::on_built>(due, this);
}

void Nic::on_built() {
  const Built built = *built_.pop_due(kernel_.now());
  if (built.packet.ledger) built.packet.ledger->close(Stage::nic_tx, name(), kernel_.now());
  const Picoseconds left = port_down_ ? drop_at_port(built.packet) : wire_->send(built.packet, kernel_.now());
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
  if (ack.kind == PacketKind::ack) return acknowledge(queue, ack.psn);
  acknowledge(queue, psn_plus(ack.psn, -1));
  const Job* job = oldest(queue);
  if (!job || queue.oldest_psn != ack.psn) return;
  if (ack.syndrome == Syndrome::operation_nak) return fail(queue, ack.psn, CqeStatus::remote_operation);
  if (queue.paused) return;
  if (ack.syndrome == Syndrome::sequence_nak) return retry(queue, ack.psn);
  if (queue.retries++ == params_.retries) return fail(queue, ack.psn, CqeStatus::receiver_not_ready);
  queue.paused = true;
  rewind(queue, ack.psn, Stage::nic_wait);
  const Picoseconds due = kernel_.now() + params_.rnr_timer;
  pausing_.push(&queue, due);
  kernel_.at<&Nic::on_receiver_ready>(due, this);
}

/// A response acknowledges all before it. One that isn't next is of no use.
void Nic::on_response(const Packet& packet) {
  QueuePair& queue = qp(packet.qpn);
  acknowledge(queue, psn_plus(packet.psn, -1));
  Job* const job = oldest(queue);
  if (job && is_fetch(job->wqe.opcode) && missing_psn(*job) == packet.psn) {
    take_response(queue, *job, packet);
  } else {
    ++(psn_reached(queue.oldest_psn, packet.psn) ? stats_.out_of_sequence : stats_.duplicates);
    stats_.payload_discarded += packet.payload;
  }
  ++queue.responses_done;
  while (!queue.held.empty() && queue.held.front().after <= queue.responses_done) {
    const Packet ack = queue.held.front().ack;
    queue.held.pop_front();
    handle(queue, ack);
  }
}

/// The data go to local memory, the CQE follows them on the same way.
void Nic::take_response(QueuePair& queue, Job& job, const Packet& packet) {
  ++stats_.packets_received;
  stats_.payload_received += packet.payload;
  const bool atomic = is_atomic(job.wqe.opcode);
  if (packet.ledger) packet.ledger->close(Stage::nic_rx, name(), kernel_.now());
  if (atomic || packet.payload > 0_B) {
    const Bytes from = queue.mtu * job.received;
    const Bytes length = scatter(queue, packet, job.wqe, from, atomic ? 8_B : packet.payload);
    const Address rest = static_cast<Address>((from + (atomic ? 8_B : packet.payload) - length).count());
    Transfer& write = inbound(queue, packet, Stage::response_write, job.wqe.local + rest, length);
    write.cookie = job.wqe.data_of;
    if (packet.last) write.content = packet.value;
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
