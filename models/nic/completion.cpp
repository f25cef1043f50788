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
  completing_.push({queue.config.relaxed_flags, slot, cqe, ledger, stage}, due);
  kernel_.at<&Nic::on_cqe>(due, this);
}

void Nic::on_cqe() {
  const Completing done = *completing_.pop_due(kernel_.now());
  ++stats_.cqes;
  ++qp(done.cqe.qpn).stats.cqes;
  Transfer& write = port_->make();
  write.kind = Transfer::Kind::write;
  write.stage = Stage::cqe_write;
  write.relaxed = done.relaxed;
  write.ordered = !done.relaxed;
  write.address = done.slot;
  write.length = cqe_size;
  write.content = done.cqe;
  write.ledger = done.ledger;
  if (write.ledger) write.ledger->close(done.stage, name(), kernel_.now());
  port_->submit(write);
}

}  // namespace gicsim::nic
