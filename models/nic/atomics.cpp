// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Atomics at the responder: under locks by address, on memory behind the bus or on the NIC's own.
// Source: InfiniBand 1.5, 9.4.5
#include <algorithm>

#include "models/nic/nic.h"
#include "models/protocol/ending.h"

namespace gicsim::nic {

/// Atomics on words of one lock are executed one after another, in order of arrival.
void Nic::lock(Reply& reply) {
  std::deque<Reply*>& line = locks_[lock_of(reply)];
  line.push_back(&reply);
  if (line.size() == 1) begin_atomic(reply);
}

void Nic::unlock(Reply& reply) {
  const auto at = locks_.find(lock_of(reply));
  at->second.pop_front();
  if (at->second.empty()) locks_.erase(at);
  else begin_atomic(*at->second.front());
}

/// Read, combine, write back; the next one's read can't pass that write. In the NIC's own memory there is no bus between.
void Nic::begin_atomic(Reply& reply) {
  reply.in_unit = true;
  reply.begun = kernel_.now();
  if (Ledger* ledger = reply.ledger) {
    ledger->waited(kernel_.now() - ledger->last());
    ledger->close(Stage::nic_execute, name(), kernel_.now());
  }
  if (in_device(reply.address)) {
    const Picoseconds due = kernel_.now() + 2 * transport_.device_access + params_.atomic;
    in_own_memory_.push(&reply, due);
    return kernel_.at<&Nic::on_own_atomic>(due, this);
  }
  Transfer& read = port_->make();
  read.kind = Transfer::Kind::read;
  read.stage = Stage::remote_read;
  read.address = reply.address;
  read.length = 8_B;
  read.initiator = this;
  read.cookie = static_cast<Stream*>(&reply);
  read.ledger = reply.ledger;
  if (params_.atomics == AtomicUnit::pcie) {
    read.kind = Transfer::Kind::atomic;
    read.op = reply.opcode == Opcode::fetch_add ? AtomicOp::fetch_add : AtomicOp::compare_swap;
    read.operand = reply.operand;
    read.compare = reply.compare;
    read.executed = fork_delivery(reply);
  }
  port_->submit(read);
}

/// Where the data go their way and the answer goes another.
LedgerRef Nic::fork_delivery(const Reply& reply) {
  if (!reply.ledger || !reply.message->track_delivery) return {};
  reply.message->delivery = reply.message->completion;
  return &reply.message->delivery;
}

void Nic::on_old_value(Reply& reply, Transfer& transfer) {
  if (failed(transfer)) [[unlikely]] {
    reply.in_unit = false;
    unlock(reply);
    return fail_reply(reply, transfer);
  }
  const auto* number = std::get_if<std::uint64_t>(&transfer.content);
  reply.value = number ? *number : 0;
  reply.sampled = transfer.sampled;
  if (transfer.kind == Transfer::Kind::atomic) {
    if (atomics_done_) atomics_done_->announce({reply.address, name(), transfer.sampled, transfer.sampled});
    return combine(reply);
  }
  combining_.push(&reply, kernel_.now() + params_.atomic);
  kernel_.at<&Nic::on_atomic>(kernel_.now() + params_.atomic, this);
}

void Nic::on_atomic() { combine(**combining_.pop_due(kernel_.now())); }

void Nic::on_own_atomic() {
  Reply& reply = **in_own_memory_.pop_due(kernel_.now());
  reply.value = own_words_[reply.address];
  combine(reply);
}

void Nic::combine(Reply& reply) {
  QueuePair& queue = *reply.queue;
  reply.in_unit = false;
  if (reply.packets == 0) [[unlikely]] {  // broken off meanwhile
    unlock(reply);
    return retire(reply);
  }
  ++stats_.atomics;
  Picoseconds& held = lock_held_[lock_of(reply)];
  held += kernel_.now() - reply.begun;
  stats_.atomic_busy = std::max(stats_.atomic_busy, held);
  if (reply.ledger) reply.ledger->close(Stage::nic_execute, name(), kernel_.now());
  const bool leaves = reply.opcode == Opcode::fetch_add || reply.value == reply.compare;
  if (leaves && (params_.atomics == AtomicUnit::nic || in_device(reply.address))) write_back(reply);
  queue.saved.push_back({reply.first_psn, reply.value});
  if (static_cast<std::int64_t>(queue.saved.size()) > queue.fetches) queue.saved.pop_front();
  reply.ready = true;
  unlock(reply);
  pump_replies(queue);
}

void Nic::write_back(Reply& reply) {
  const std::uint64_t fresh = reply.opcode == Opcode::fetch_add ? reply.value + reply.operand : reply.operand;
  if (in_device(reply.address)) {
    own_words_[reply.address] = fresh;
    if (Ledger* delivery = fork_delivery(reply)) delivery->close(Stage::nic_execute, name(), kernel_.now());
    return;
  }
  Transfer& write = port_->make();
  write.kind = Transfer::Kind::write;
  write.stage = Stage::remote_write;
  write.relaxed = reply.queue->config.relaxed_flags;
  write.ordered = !write.relaxed;
  write.address = reply.address;
  write.length = 8_B;
  write.content = fresh;
  write.ledger = fork_delivery(reply);
  write.rewrites = true;
  write.sampled = reply.sampled;
  write.initiator = this;
  port_->submit(write);
}

/// Between its read and now others may have changed the word: this NIC's locks are its own.
void Nic::on_written_back(const Transfer& write) {
  if (!atomics_done_ || write.status != CompletionStatus::successful) return;
  atomics_done_->announce({write.address, name(), write.sampled, std::max(write.arrived.visible, kernel_.now())});
}

}  // namespace gicsim::nic
