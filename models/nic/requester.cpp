// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/base/errors.h"
#include "models/nic/nic.h"

namespace gicsim::nic {

void Nic::on_decoded() {
  const Decoding done = *decoding_.pop_due(kernel_.now());
  Job& job = *done.job;
  if (job.wqe.message) job.wqe.message->completion.close(Stage::wqe_decode, name(), kernel_.now());
  done.qp->decoded.push_back(&job);
  if (job.wqe.inlined) {
    job.here = job.packets;
    return pump_packets(*done.qp);
  }
  to_read_.push_back(done);
  pump_payload();
}

/// Reads payload a packet at a time, in order, each into room that it has reserved.
void Nic::pump_payload() {
  while (!to_read_.empty()) {
    const Decoding reading = to_read_.front();
    Job& job = *reading.job;
    const Bytes begin = params_.mtu * job.asked;
    const Bytes length = std::min(params_.mtu, job.wqe.length - begin);
    if (!transmit_buffer_.take(length.count(), kernel_.now())) return await_room(length);
    stats_.transmit_time -= buffer_share(length, kernel_.now());
    const bool last = ++job.asked == job.packets;
    if (last) to_read_.pop_front();
    ++stats_.payload_reads;
    Transfer& read = port_->make();
    read.kind = Transfer::Kind::read;
    read.stage = Stage::payload_read;
    read.address = job.wqe.local + static_cast<Address>(begin.count());
    read.length = length;
    read.initiator = this;
    read.cookie = &job;
    read.ledger = last && job.wqe.message ? &job.wqe.message->completion : nullptr;
    if (read.ledger) {
      read.ledger->waited(kernel_.now() - read.ledger->last());
      read.ledger->close(Stage::nic_wait, name(), kernel_.now());
    }
    port_->submit(read);
  }
}

/// `t` times the part of the buffer that `length` takes: sums up to the time that it was full.
Picoseconds Nic::buffer_share(Bytes length, Picoseconds t) const {
  return Picoseconds{detail::multiply_divide_up(t.count(), length.count(), params_.transmit_buffer.count())};
}

/// The transmit buffer is full: tries again when enough has left, if that is known by now.
void Nic::await_room(Bytes reserved) {
  const Picoseconds room = transmit_buffer_.available_at(reserved.count());
  if (room == Picoseconds::max() || room_at_ >= kernel_.now()) return;
  room_at_ = std::max(room, kernel_.now());
  kernel_.at<&Nic::on_room>(room_at_, this);
}

void Nic::on_room() {
  room_at_ = Picoseconds{-1};
  pump_payload();
}

void Nic::on_payload(Transfer& transfer) {
  Job& job = *static_cast<Job*>(transfer.cookie);
  ++job.here;
  pump_packets(qp(job.wqe.qpn));
}

/// Packets leave in the queue pair's order; each goes through the build pipeline.
void Nic::pump_packets(QueuePair& queue) {
  while (!queue.decoded.empty()) {
    Job& job = *queue.decoded.front();
    if (job.sent == job.here) return;
    const Bytes begin = params_.mtu * job.sent;
    const Bytes payload = std::min(params_.mtu, job.wqe.length - begin);
    Packet packet;
    packet.kind = PacketKind::write;
    packet.first = job.sent == 0;
    packet.last = ++job.sent == job.packets;
    packet.ack_request = packet.last;
    packet.from = number_;
    packet.to = queue.config.remote_port;
    packet.qpn = queue.config.remote_qpn;
    packet.psn = queue.next_psn;
    packet.payload = payload;
    packet.wire = pieces(payload, 4_B) * 4_B + overhead_.base + (packet.first ? overhead_.reth : 0_B);
    packet.address = job.wqe.remote + static_cast<Address>(begin.count());
    packet.wqe = &job.wqe;
    packet.ledger = packet.last && job.wqe.message ? &job.wqe.message->completion : nullptr;
    queue.next_psn = (queue.next_psn + 1) & psn_mask;
    const Slot slot = builder_.serve(kernel_.now());
    stats_.tx_busy += slot.end - slot.start;
    ++stats_.packets_sent;
    stats_.payload_sent += payload;
    if (packet.ledger) packet.ledger->waited(slot.start - kernel_.now());
    const Picoseconds due = slot.start + params_.tx;
    built_.push({&queue, packet}, due);
    kernel_.at<&Nic::on_built>(due, this);
    if (!packet.last) continue;
    job.last_psn = packet.psn;
    queue.unacknowledged.push_back(&job);
    queue.decoded.pop_front();
  }
}

void Nic::on_built() {
  const Built built = *built_.pop_due(kernel_.now());
  if (built.packet.ledger) built.packet.ledger->close(Stage::nic_tx, name(), kernel_.now());
  const Picoseconds left = wire_->send(built.packet, kernel_.now());
  if (built.packet.wqe->inlined) return;
  transmit_buffer_.give(built.packet.payload.count(), left);
  stats_.transmit_time += buffer_share(built.packet.payload, left);
  if (!to_read_.empty()) pump_payload();
}

/// Everything up to the acknowledged PSN is complete.
void Nic::on_ack(const Packet& ack) {
  QueuePair& queue = qp(ack.qpn);
  while (!queue.unacknowledged.empty() && psn_reached(queue.unacknowledged.front()->last_psn, ack.psn)) {
    Job& job = *queue.unacknowledged.front();
    queue.unacknowledged.pop_front();
    ++queue.completed;
    if (job.wqe.message) job.wqe.message->completion.close(Stage::nic_ack, name(), kernel_.now());
    if (!job.wqe.signaled) {
      free_jobs_.push_back(&job);
      continue;
    }
    const Picoseconds due = kernel_.now() + params_.cqe_build;
    completing_.push({&queue, &job}, due);
    kernel_.at<&Nic::on_cqe>(due, this);
  }
}

void Nic::on_cqe() {
  const Completing done = *completing_.pop_due(kernel_.now());
  const Wqe& wqe = done.job->wqe;
  ++stats_.cqes;
  Transfer& write = port_->make();
  write.kind = Transfer::Kind::write;
  write.stage = Stage::cqe_write;
  write.ordered = true;
  write.address = done.qp->config.completion;
  write.length = cqe_size;
  write.content = Cqe{.qpn = wqe.qpn, .index = wqe.index, .message = wqe.message};
  write.ledger = wqe.message ? &wqe.message->completion : nullptr;
  if (write.ledger) write.ledger->close(Stage::nic_ack, name(), kernel_.now());
  port_->submit(write);
  free_jobs_.push_back(done.job);
}

}  // namespace gicsim::nic
