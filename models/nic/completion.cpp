// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/nic/nic.h"

namespace gicsim::nic {

void Nic::complete(QueuePair& queue, Job& job, CqeStatus status) {
  const Wqe& wqe = job.wqe;
  ++queue.completed;
  if (Message* message = wqe.message) {
    if (job.again || queue.failed) message->completion.take_back(kernel_.now());
    message->completion.close(queue.failed ? Stage::retransmit : Stage::nic_ack, name(), kernel_.now());
  }
  if (status != CqeStatus::ok) ++stats_.failed, ++queue.stats.req_cqe_error;
  queue.stats.req_cqe_flush_error += status == CqeStatus::flushed;
  if (wqe.signaled || status != CqeStatus::ok) {
    const CqeOpcode opcode = status == CqeStatus::ok ? CqeOpcode::requester : CqeOpcode::requester_error;
    post_cqe(queue, queue.config.completion,
             Cqe{.qpn = wqe.qpn, .index = wqe.index, .opcode = opcode, .status = status, .message = wqe.message},
             wqe.message ? &wqe.message->completion : nullptr, Stage::nic_ack);
  }
  recycle(job);
}

/// Not before the data that it tells of.
void Nic::post_cqe(const QueuePair& queue, Address slot, const Cqe& cqe, LedgerRef ledger, Stage stage) {
  const Picoseconds due = std::max({kernel_.now() + params_.cqe_build, queue.placed, completed_});
  completed_ = due;
  const bool receive = slot != queue.config.completion;
  completing_.push({queue.config.qpn, queue.config.relaxed_flags, receive, slot, cqe, ledger, stage}, due);
  kernel_.at<&Nic::on_cqe>(due, this);
}

void Nic::on_cqe() { write_cqe(*completing_.pop_due(kernel_.now())); }

/// Where a ring is full, as far as is known, its consumer index is asked for first, and CQEs wait behind that.
void Nic::write_cqe(const Completing& done) {
  QueuePair& queue = *qp(done.qpn).completes_at;
  CompletionQueue& cq = queue.cq;
  const CqConfig& config = queue.config.cq;
  const bool ring = !done.receive && config.entries > 1;
  if (ring && cq.failed) {
    ++cq_stats_.lost_cqes;
    return;
  }
  if (ring && !config.ignore_overrun && (cq.asking || cq.written - cq.taken == config.entries)) {
    cq.held.push_back(done);
    return ask_consumer(queue);
  }
  ++stats_.cqes;
  ++qp(done.cqe.qpn).stats.cqes;
  Transfer& write = port_->make();
  write.kind = Transfer::Kind::write;
  write.stage = Stage::cqe_write;
  write.relaxed = done.relaxed;
  write.ordered = !done.relaxed;
  write.address = done.slot;
  write.length = cqe_size;
  write.ledger = done.ledger;
  Cqe cqe = done.cqe;
  if (ring) {
    write.address += cq.written % config.entries * Address{64};
    cqe.owner = cq.written / config.entries % 2;
  }
  write.content = cqe;
  if (write.ledger) write.ledger->close(done.stage, name(), kernel_.now());
  port_->submit(write);
  if (done.receive) return;
  ++cq.written;
  cq.newest = cqe.index + 1;
  tell(queue);
}

void Nic::ask_consumer(QueuePair& queue) {
  if (std::exchange(queue.cq.asking, true)) return;
  ++cq_stats_.consumer_reads;
  Transfer& read = port_->make();
  read.kind = Transfer::Kind::read;
  read.stage = Stage::cqe_write;
  read.address = queue.config.cq.consumer;
  read.length = 8_B;
  read.initiator = this;
  read.cookie = &queue;
  port_->submit(read);
}

void Nic::on_consumer(Transfer& record) {
  QueuePair& queue = *static_cast<QueuePair*>(record.cookie);
  CompletionQueue& cq = queue.cq;
  cq.asking = false;
  if (const auto* taken = std::get_if<std::uint64_t>(&record.content)) cq.taken = static_cast<std::uint32_t>(*taken);
  const std::deque<Completing> held = std::exchange(cq.held, {});
  if (cq.written - cq.taken >= queue.config.cq.entries) run_over(queue);
  for (const Completing& done : held) write_cqe(done);
}

/// An error of the CQ, which is one of all its queue pairs: none has a CQE to tell of it.
/// Source: InfiniBand 1.5, 11.6.3 (affiliated asynchronous errors)
void Nic::run_over(QueuePair& queue) {
  CompletionQueue& cq = queue.cq;
  cq.failed = true;
  ++cq_stats_.overruns;
  std::vector<QueuePair*> all;
  for (const auto& one : queue_pairs_)
    if (one->completes_at == &queue) all.push_back(one.get());
  const auto who = [&](const QueuePair& one) { return std::string(name()) + ".qp" + std::to_string(one.config.qpn); };
  const std::string what = "its completion queue of " + std::to_string(queue.config.cq.entries) + " entries" +
                           (all.size() > 1 ? ", of " + std::to_string(all.size()) + " queue pairs," : "") + " ran over: " +
                           std::to_string(cq.written) + " CQEs written, and its consumer index says " + std::to_string(cq.taken);
  raise(AsyncKind::cq_error, who(queue) + ": " + what);
  for (QueuePair* one : all) {
    raise(AsyncKind::qp_fatal, who(*one));
    if (one->failed) continue;
    const Job* const first = oldest(*one);
    const std::uint32_t index = all.size() == 1 ? cq.newest : first ? first->wqe.index : one->fetched;
    failures_.push_back({name(), one->config.qpn, index, 0, 0, CqeStatus::local_qp_operation, kernel_.now(), false, what});
    flush(*one);
  }
}

}  // namespace gicsim::nic
