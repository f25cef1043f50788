// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/nic.h"

#include <algorithm>

#include "models/base/errors.h"

namespace gicsim::nic {
namespace {

constexpr FetchParams default_fetch;
constexpr ContextParams default_contexts;
constexpr QueueParams as_usual{};

}  // namespace

Nic::Nic(sc_core::sc_module_name name, Kernel& kernel, const NicParams& params, PortNumber number,
         PacketOverhead overhead, Address bar, const TransportParams& transport)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      transport_(transport),
      number_(number),
      overhead_(overhead),
      bar_(bar),
      doorbell_(params.doorbell_gap),
      decoder_(params.decode_gap),
      builder_(params.tx_gap),
      receiver_(params.rx_gap),
      acker_(params.ack_gap),
      window_(std::string(this->name()) + ".window", params.nic_window),
      transmit_buffer_(std::string(this->name()) + ".transmit_buffer", params.transmit_buffer.count()),
      queue_params_(&as_usual),
      barrier_(kernel, params, number, bar + 0x40),
      cq_name_(std::string(this->name()) + ".queues") {
  target.bind(*this);
  wire_in.bind(*this);
  equip(default_fetch, default_contexts, 0);
}

void Nic::equip(const FetchParams& fetch, const ContextParams& contexts, Address tables) {
  fetch_ = &fetch;
  contexts_.emplace(std::string(name()) + ".contexts", kernel_, contexts, tables);
  units_.reset();
  if (fetch.unit_time > Picoseconds{}) units_.emplace(fetch.units, fetch.unit_time);
}

void Nic::vary(const Spread& spread) {
  from_bus_ = Crossing(spread.params.nic_clock, spread, std::string(name()) + ".bus");
  from_wire_ = Crossing(spread.params.nic_clock, spread, std::string(name()) + ".wire");
  adp_ = RandomStream(spread.seed, std::string(name()) + ".adp");
  placement_ = RandomStream(spread.seed, std::string(name()) + ".placement");
  if (spread.params.placement) placement_wait_ = spread.params.placement_wait;
}

void Nic::end_of_elaboration() {
  port_ = port.operator->();
  contexts_->read_through(*port_);
  wire_ = wire_out.operator->();
  wire_->sent_by(*this);
  barrier_.attach(*port_, *wire_, cq_stats_.barriers);
}

std::uint32_t Nic::make_queue_pair(QueuePairConfig config) {
  config.qpn = static_cast<std::uint32_t>(queue_pairs_.size()) + 1;
  QueuePair& queue = *queue_pairs_.emplace_back(std::make_unique<QueuePair>(config));
  queue.timer.nic = this;
  queue.timer.queue = &queue;
  queue.ready.nic = this;
  queue.ready.queue = &queue;
  if (dcqcn_ || ib_cc_) {
    queue.limiter = std::make_unique<RateLimiter>(dcqcn_, ib_cc_, line_);
    queue.limiter->nic = this;
    queue.limiter->queue = &queue;
  }
  return config.qpn;
}

void Nic::place(std::uint32_t qpn, Address send_queue, Address completion, Address receive_completion) {
  QueuePairConfig& config = qp(qpn).config;
  config.send_queue = send_queue;
  config.completion = completion;
  config.receive_completion = receive_completion;
}

void Nic::place(std::uint32_t qpn, const CqConfig& cq, Address record) {
  QueuePairConfig& config = qp(qpn).config;
  config.cq = cq;
  config.record = record;
  if (cq.of != 0) qp(qpn).completes_at = &qp(cq.of);
}

void Nic::connect(std::uint32_t qpn, PortNumber remote_port, std::uint32_t remote_qpn, const NicParams* remote) {
  QueuePair& queue = qp(qpn);
  queue.config.remote_port = remote_port;
  queue.config.remote_qpn = remote_qpn;
  if (!remote) remote = &params_;
  queue.mtu = std::min(params_.mtu, remote->mtu);
  queue.fetches = std::min(params_.fetches_outstanding, remote->fetches_outstanding);
  queue.state = QueueState::rts;
  queue.flow = udp_source_port(qpn, remote_qpn);
  contexts_->connected(qpn);
}

Job& Nic::new_job(QueuePair& queue, const Wqe& wqe) {
  if (free_jobs_.empty()) free_jobs_.push_back(&jobs_.emplace_back());
  Job& job = *free_jobs_.back();
  free_jobs_.pop_back();
  job = Job{};
  job.queue = &queue;
  job.wqe = wqe;
  job.address = wqe.local;
  job.length = wqe.length;
  job.packets = std::max<std::int64_t>(1, pieces(wqe.length, queue.mtu));
  job.buffered = !is_fetch(wqe.opcode) && !wqe.inlined && wqe.length > 0_B;
  if (!job.buffered) job.asked = job.here = job.packets;
  return job;
}

/// A failed queue pair's packets may still be under way, and they refer to it.
void Nic::recycle(Job& job) {
  job.ended = true;
  if (job.wqe.service == Service::ud) return keep_datagram(job);
  if (job.void_reads == 0 && !job.queue->failed) free_jobs_.push_back(&job);
}

void Nic::on_transferred(Transfer& transfer) {
  if (transfer.kind == Transfer::Kind::write) {
    if (transfer.rewrites) return on_written_back(transfer);
    if (transfer.status != CompletionStatus::successful) fail_write(*static_cast<QueuePair*>(transfer.owner), transfer);
    return on_placed(transfer);
  }
  if (transfer.stage == Stage::wqe_read) {
    if (transfer.cookie == this) return on_descriptor(transfer);
    return transfer.cookie ? on_fetched(transfer) : on_receives(transfer);
  }
  if (transfer.stage == Stage::remote_read) {
    Reply& reply = static_cast<Reply&>(*static_cast<Stream*>(transfer.cookie));
    if (reply.in_unit) return on_old_value(reply, transfer);
  }
  if (transfer.stage == Stage::cqe_write) return on_consumer(transfer);
  if (transfer.stage == Stage::nic_doorbell) return on_record(transfer);
  on_payload(transfer);
}

std::vector<QpStats> Nic::queue_pair_stats() const {
  std::vector<QpStats> all;
  for (const auto& queue : queue_pairs_) {
    QpStats& stats = all.emplace_back(queue->stats);
    stats.posted = queue->producer;
    stats.fetched = queue->fetched;
  }
  return all;
}

/// What the NIC counted as a whole, its queue pairs counted each by itself.
void Nic::check_counters() const {
  QpStats sum;
  for (const auto& queue : queue_pairs_) sum += queue->stats;
  const auto check = [&](const char* what, auto port, auto pairs) {
    if (port != pairs)
      throw ModelError(name(), kernel_.now(), std::string(what) + " of the port and of its queue pairs differ");
  };
  check("WQEs", stats_.wqes, sum.wqes);
  check("CQEs", stats_.cqes, sum.cqes);
  check("packets sent", stats_.packets_sent, sum.packets_sent);
  check("packets received", stats_.packets_received, sum.packets_received);
  check("ACKs", stats_.acks_sent, sum.acks_sent);
  check("NAKs", stats_.naks_sent, sum.naks_sent);
  check("bytes sent", stats_.payload_sent, sum.payload_sent);
  check("bytes received", stats_.payload_received, sum.payload_received);
  check("packets sent again", stats_.resent, sum.retransmitted);
  check("time-outs", stats_.timeouts, sum.local_ack_timeout_err);
  check("packets out of sequence", stats_.out_of_sequence,
        sum.out_of_sequence + sum.out_of_sequence_responses + sum.out_of_buffer);
  check("duplicates", stats_.duplicates, sum.duplicate_request + sum.duplicate_responses);
  check("failed WQEs", stats_.failed, sum.req_cqe_error);
}

void Nic::unfinished(std::vector<std::string>& lines) const {
  for (const auto& qp : queue_pairs_) {
    const std::string who = std::string(name()) + ".qp" + std::to_string(qp->config.qpn);
    if (qp->fetched != qp->producer)
      lines.push_back(who + ": rung up to index " + std::to_string(qp->producer) + ", fetched up to " +
                      std::to_string(qp->fetched));
    if (!qp->unacknowledged.empty())
      lines.push_back(who + ": " + std::to_string(qp->unacknowledged.size()) + " WQEs unacknowledged");
    if (qp->paused)
      lines.push_back(who + ": RNR NAKed " + std::to_string(qp->rnr_retries) +
                      " times, waits until the far side has posted a receive");
    if (qp->starved) lines.push_back(who + ": " + std::to_string(qp->received) + " receives consumed, none is posted");
    refused(lines, *qp);
  }
  if (fetch_stats_.dropped > 0)
    lines.push_back(std::string(name()) + ": its scans dropped " + std::to_string(fetch_stats_.dropped) +
                    " units of 64 B that they couldn't take (nic.fetch: periodic_scan); their posters were told that all is well");
  for (const auto& qp : queue_pairs_)
    if (qp->cq.armed && qp->cq.unreported > 0)
      lines.push_back(std::string(name()) + ".qp" + std::to_string(qp->config.qpn) + ": " +
                      std::to_string(qp->cq.unreported) + " CQEs without an event: moderation waits for " +
                      std::to_string(queue_params_->moderation_count));
  barrier_.unfinished(name(), lines);
}

void Nic::refused(std::vector<std::string>& lines, const QueuePair& qp) const {
  if (qp.dropped > 0)
    lines.push_back(std::string(name()) + ".qp" + std::to_string(qp.config.qpn) + ": dropped " +
                    std::to_string(qp.dropped) + " packets, as its state is " + std::string(name_of(qp.state)));
}

void Nic::check_books() const {
  check_counters();
  const auto fail = [&](const std::string& what) { throw ModelError(name(), kernel_.now(), what); };
  for (const auto& qp : queue_pairs_) {
    if (qp->posted != qp->completed)
      fail("qp " + std::to_string(qp->config.qpn) + ": " + std::to_string(qp->posted) +
           " WQEs executed, " + std::to_string(qp->completed) + " completed");
    if (qp->fetched != qp->producer) fail("qp " + std::to_string(qp->config.qpn) + ": WQEs not fetched");
    if (qp->failed && (qp->receives != 0 || qp->receiving)) fail("qp " + std::to_string(qp->config.qpn) + ": receives not flushed");
    if (!qp->replies.empty()) fail("qp " + std::to_string(qp->config.qpn) + ": responses not sent");
  }
  for (const auto& qp : queue_pairs_)
    if (!qp->datagrams.empty()) fail("qp " + std::to_string(qp->config.qpn) + ": datagrams wait for a receive's WQE");
  if (kept_ != 0) fail(std::to_string(kept_) + " packets kept");
  if (contexts_->under_way() != 0 || !stalled_.empty()) fail("contexts still in fetch");
  if (window_.outstanding() != 0) fail(std::to_string(window_.outstanding()) + " of the fetch window not returned");
  if (!placing_.empty()) fail(std::to_string(placing_.size()) + " writes not on their way to memory");
  if (receiving_ != 0_B) fail(std::to_string(receiving_.count()) + " B still in the receive buffer");
  if (!locks_.empty()) fail("an atomic was not executed");
  if (transmit_buffer_.outstanding() != 0)
    fail(std::to_string(transmit_buffer_.outstanding()) + " B of the transmit buffer not returned");
}

}  // namespace gicsim::nic
