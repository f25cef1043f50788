// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// A memory access of the NIC ended as UR, CA, time-out or with poisoned data. A posted write tells nobody that it got lost,
// so only what the NIC's own port refuses counts.
// Source: InfiniBand 1.5, 9.9.2 and 9.9.3 (errors of requester and responder); rdma-core, providers/mlx5/mlx5dv.h. Which
// syndrome it is: payload that can't be read ends as 0x04 and a READ from such memory as 0x14 in linux-rdma/perftest#200.
#include <algorithm>

#include "models/nic/nic.h"
#include "models/protocol/ending.h"
#include "models/protocol/interrupt.h"

namespace gicsim::nic {

/// WQEs that can't be read can't be executed, nor can those behind them. Without their content a CQE knows only
/// their place in the ring: one for the first, which is in error, and one for the last, flushed.
void Nic::fail_fetch(QueuePair& queue, const Transfer& read) {
  const auto slot = static_cast<std::uint32_t>((read.address - queue.config.send_queue) / 64);
  const std::uint32_t back = (queue.fetching - slot) & (queue.config.depth - 1);
  const std::uint32_t first = queue.fetching - (back == 0 ? queue.config.depth : back);
  queue.fetched += read.lines;
  queue.partial.reset();
  queue.units_left = 0;
  std::erase_if(queue.rings, [&](const Rung& ring) { return static_cast<std::int32_t>(queue.fetched - ring.index) >= 0; });
  const auto post = [&](std::uint32_t index, CqeStatus status, LedgerRef ledger) {
    ++stats_.failed, ++queue.stats.req_cqe_error;
    queue.stats.req_cqe_flush_error += status == CqeStatus::flushed;
    post_cqe(queue, queue.config.completion,
             Cqe{.qpn = queue.config.qpn, .index = index, .opcode = CqeOpcode::requester_error, .status = status}, ledger,
             Stage::nic_ack);
  };
  const std::uint32_t last = first + read.lines - 1;
  CqeStatus status = CqeStatus::flushed;
  if (!queue.failed) {
    status = CqeStatus::local_qp_operation;
    failures_.push_back({name(), queue.config.qpn, first, 0, 0, status, kernel_.now(), false,
                         failed(read) ? "its fetch, a " + how_ended(read) : "its fetch gave ones"});
    flush(queue);
  }
  queue.unreadable = true;
  post(first, status, first == last ? read.ledger : LedgerRef{});
  if (first != last) post(last, CqeStatus::flushed, read.ledger);
  want_fetch(queue);
  pump_fetch();
}

/// The WQE whose payload it was gets the error CQE; what was sent before it isn't waited for.
void Nic::fail_payload(Job& job, Stream& stream, const Transfer& read) {
  --stream.asked;
  leave_buffer(read.length, kernel_.now());
  failures_.push_back({name(), job.queue->config.qpn, job.wqe.index, job.first_psn, 0, CqeStatus::local_protection,
                       kernel_.now(), false, "payload, a " + how_ended(read)});
  flush(*job.queue, &job, CqeStatus::local_protection);
}

void Nic::fail_write(QueuePair& queue, const Transfer& write) {
  refuse_request(queue, psn_plus(queue.expected_psn, -1), how_ended(write));
}

void Nic::fail_reply(Reply& reply, const Transfer& access) {
  QueuePair& queue = *reply.queue;
  if (reply.buffered) {
    --reply.asked;
    leave_buffer(access.length, kernel_.now());
  }
  refuse_request(queue, psn_plus(reply.first_psn, reply.sent), how_ended(access));
}

namespace {

Syndrome nak_of(CqeStatus status) {
  if (status == CqeStatus::remote_access) return Syndrome::access_nak;
  return status == CqeStatus::remote_invalid_request ? Syndrome::invalid_request_nak : Syndrome::operation_nak;
}

}  // namespace

/// A NAK behind what could be answered; then the queue pair is silent. Nobody has posted anything here that could
/// end in error, so the host is told by an interrupt.
void Nic::refuse_request(QueuePair& queue, std::uint32_t psn, std::string cause, CqeStatus status) {
  const std::deque<Reply*> all = queue.replies;
  const bool again = queue.failed;
  if (!again) {
    failures_.push_back({name(), queue.config.qpn, 0, psn, 0, status, kernel_.now(), true, std::move(cause)});
    ++stats_.refused;
    queue.expected_psn = psn;
    flush(queue);
  }
  for (Reply* reply : all)
    if (psn_reached(psn, reply->last_psn())) break_off(*reply);
  if (again) return pump_payload();
  owe_nak(queue, nak_of(status));
  interrupt(*port_);
  pump_payload();
}

void Nic::break_off(Reply& reply) {
  drop_payload(reply);
  const auto lock = locks_.find(lock_of(reply));
  if (!reply.in_unit && lock != locks_.end()) std::erase(lock->second, &reply);
  reply.packets = reply.asked = reply.here = reply.sent;
  if (reply.building == 0 && !reply.in_unit) retire(reply);
}

void Nic::lose_all(const std::string& cause) {
  for (const auto& queue : queue_pairs_) {
    if (queue->failed) continue;
    failures_.push_back({name(), queue->config.qpn, queue->fetched, 0, 0, CqeStatus::flushed, kernel_.now(), false, cause});
    flush(*queue);
    for (Reply* reply : std::deque<Reply*>(queue->replies)) break_off(*reply);
  }
  lost_ = queue_pairs_.size();
}

std::vector<std::pair<Address, Cqe>> Nic::flushed_by_driver() const {
  std::vector<std::pair<Address, Cqe>> all;
  for (std::size_t i = 0; i < lost_; ++i) {
    const QueuePair& queue = *queue_pairs_[i];
    all.push_back({queue.config.completion,
                   Cqe{.qpn = queue.config.qpn, .index = queue.producer + queue.config.depth - 1,
                       .opcode = CqeOpcode::requester_error, .status = CqeStatus::flushed}});
    if (queue.stats.resp_cqe_flush_error == 0) continue;
    all.push_back({queue.config.receive_completion,
                   Cqe{.qpn = queue.config.qpn, .index = queue.received - 1, .opcode = CqeOpcode::responder_error,
                       .status = CqeStatus::flushed}});
  }
  return all;
}

}  // namespace gicsim::nic
