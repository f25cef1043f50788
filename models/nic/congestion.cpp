// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion control: a marked packet makes its receiver tell the sender, whose queue pair then
// waits for its rate. Source: InfiniBand 1.5, Annex A17.9.3 (CNP), Annex A10; SIGCOMM 2015, 3
#include <algorithm>
#include <utility>

#include "models/nic/nic.h"

namespace gicsim::nic {

void Nic::control(const DcqcnParams* dcqcn, const IbCcParams* ib_cc, BitRate line) {
  dcqcn_ = dcqcn;
  ib_cc_ = ib_cc;
  line_ = line;
}

Nic::Met Nic::met(std::uint32_t qpn) const {
  const QueuePair& queue = *queue_pairs_[qpn - 1];
  Met met{.resent = queue.stats.retransmitted, .sent = queue.stats.payload_sent};
  if (!queue.limiter) return met;
  met.cnps = queue.limiter->cnps, met.lowest = queue.limiter->lowest;
  met.rate = queue.limiter->dcqcn ? queue.limiter->dcqcn->rate() : queue.limiter->index->rate();
  return met;
}

void Nic::address(Packet& packet, const QueuePair& queue) const {
  packet.from = number_;
  packet.to = queue.config.remote_port;
  packet.qpn = queue.config.remote_qpn;
  packet.source_qpn = queue.config.qpn;
  packet.priority = queue.config.service_level;
  packet.flow = queue.flow;
}

/// A queue pair that is ahead of its rate gives its turn up until then.
bool Nic::held_back(QueuePair& queue) {
  if (!queue.limiter) return false;
  RateLimiter& limiter = *queue.limiter;
  const Picoseconds now = kernel_.now(), next = limiter.next(now);
  if (next <= now) return false;
  const Picoseconds look = std::min(next, std::max(limiter.next_change(), now + 1_ps));
  if (limiter.due > now && limiter.due <= look) return true;
  if (limiter.due <= now) stats_.held_back += look - now;
  limiter.due = look;
  kernel_.at<&RateLimiter::on_due>(look, &limiter);
  return true;
}

void Nic::charge(QueuePair& queue, Bytes length) {
  if (queue.limiter) queue.limiter->sent(length + overhead_.base, kernel_.now());
}

void RateLimiter::on_due() {
  if (!queue->replies.empty()) nic->want_payload(*queue, true);
  nic->go_on(*queue);
}

/// At most one in so much time for each queue pair.
void Nic::notify_sender(const Packet& packet) {
  ++stats_.marked_received;
  QueuePair& queue = qp(packet.qpn);
  if (!queue.limiter || queue.failed) return;
  RateLimiter& limiter = *queue.limiter;
  const Picoseconds now = kernel_.now();
  const Picoseconds apart = dcqcn_ ? dcqcn_->min_time_between_cnps : Picoseconds{};
  if (limiter.last_cnp >= Picoseconds{} && now < limiter.last_cnp + apart) return;
  limiter.last_cnp = now;
  ++stats_.cnps_sent;
  Packet cnp;
  cnp.kind = PacketKind::cnp;
  address(cnp, queue);
  if (dcqcn_) cnp.priority = static_cast<std::uint8_t>(dcqcn_->cnp_802p_prio);
  cnp.wire = overhead_.on_wire(cnp);
  emit(cnp);
}

void Nic::on_notified(const Packet& packet) {
  ++stats_.cnps_received;
  QueuePair& queue = qp(packet.qpn);
  if (queue.limiter && !queue.failed) queue.limiter->notified(kernel_.now());
}

}  // namespace gicsim::nic
