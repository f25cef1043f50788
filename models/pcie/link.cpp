// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/link.h"

#include <algorithm>

#include "models/base/errors.h"

namespace gicsim::pcie {
namespace {

constexpr LaneRate lane_rate(Count generation) {
  constexpr LaneRate rates[] = {LaneRate::megatransfers(2'500), 5_GTps, 8_GTps, 16_GTps, 32_GTps};
  return rates[generation - 1];
}

/// Flow control counts payload in units of 16 B.
Count data_credits(Bytes length) { return pieces(length, 16_B); }

/// Payload travels in whole words of 4 B, from the word that holds its first byte.
Bytes whole_words(const Tlp& tlp) {
  const Bytes before(static_cast<std::int64_t>(tlp.address % 4));
  return pieces(before + tlp.length, 4_B) * 4_B;
}

}  // namespace

BitRate rate(const LinkParams& params) {
  return bit_rate(lane_rate(params.generation), params.lanes,
                  params.generation < 3 ? Encoding{8, 10} : Encoding{128, 130});
}

Link::Link(sc_core::sc_module_name name, Kernel& kernel, const LinkParams& params, Kernel::Lane lane,
           Probe<TlpSent>& sent)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      lane_(lane),
      sent_(sent),
      lanes_(rate(params)),
      posted_headers_(std::string(this->name()) + ".posted_headers", params.posted_headers),
      posted_data_(std::string(this->name()) + ".posted_data", params.posted_data / 16_B),
      non_posted_headers_(std::string(this->name()) + ".non_posted_headers", params.non_posted_headers) {
  in.bind(*this);
}

Bytes Link::on_wire(const Tlp& tlp) const {
  switch (tlp.kind) {
    case TlpKind::write: return whole_words(tlp) + params_.write_overhead;
    case TlpKind::read: return params_.read_overhead;
    case TlpKind::completion: return whole_words(tlp) + params_.completion_overhead;
    case TlpKind::atomic: return whole_words(tlp) + params_.read_overhead;
    case TlpKind::message: return whole_words(tlp) + params_.write_overhead;
  }
  return {};
}

void Link::send(const Tlp& tlp, Picoseconds ready) {
  const bool alone = posted_.empty() && non_posted_.empty() && completions_.empty();
  if (alone && take_credits(tlp)) return transmit({tlp, ready, order_++});
  const Flow flow = flow_of(tlp.kind);
  Queue& queue = flow == Flow::posted ? posted_ : flow == Flow::non_posted ? non_posted_ : completions_;
  queue.push_back({tlp, ready, order_++});
  const Count queued = static_cast<Count>(posted_.size() + non_posted_.size() + completions_.size());
  stats_.queued_peak = std::max(stats_.queued_peak, queued - 1);
  pump();
}

bool Link::take_credits(const Tlp& tlp) {
  const Picoseconds now = kernel_.now();
  switch (flow_of(tlp.kind)) {
    case Flow::completion: return true;
    case Flow::non_posted: return non_posted_headers_.take(1, now);
    case Flow::posted:
      if (posted_data_.available(now) < data_credits(tlp.length)) return false;
      if (!posted_headers_.take(1, now)) return false;
      posted_data_.take(data_credits(tlp.length), now);
      return true;
  }
  return false;
}

Link::Queue* Link::next_sendable() {
  const auto order = [](const Queue& q) { return q.empty() ? ~std::uint64_t{0} : q.front().order; };
  Queue* queues[] = {&posted_, &non_posted_, &completions_};
  std::sort(std::begin(queues), std::end(queues),
            [&](Queue* a, Queue* b) { return order(*a) < order(*b); });
  for (Queue* queue : queues) {
    if (queue->empty()) continue;
    if (queue != &posted_ && order(posted_) < order(*queue)) continue;
    if (take_credits(queue->front().tlp)) return queue;
  }
  return nullptr;
}

void Link::pump() {
  while (Queue* queue = next_sendable()) {
    transmit(queue->front());
    queue->pop_front();
  }
  const Picoseconds again = credits_back();
  const bool retry_comes = retry_at_ != Picoseconds{} && retry_at_ <= again;
  if (again == Picoseconds::max() || retry_comes) return;
  retry_at_ = again;
  kernel_.at<&Link::on_credits>(again, this, lane_);
}

/// When the head of a blocked queue may find its credits; never: nothing waits for them, or the
/// receiver hasn't released what is missing. A read behind a blocked write waits for the write.
Picoseconds Link::credits_back() const {
  Picoseconds earliest = Picoseconds::max();
  if (!posted_.empty())
    earliest = std::max(posted_headers_.available_at(1),
                        posted_data_.available_at(data_credits(posted_.front().tlp.length)));
  if (!non_posted_.empty() && (posted_.empty() || non_posted_.front().order < posted_.front().order))
    earliest = std::min(earliest, non_posted_headers_.available_at(1));
  return earliest;
}

void Link::on_credits() {
  retry_at_ = Picoseconds{};
  pump();
}

/// An Ack goes behind the TLP under way, for all that came during that one. TLPs that have their lanes
/// already keep them, and the Ack's time comes off what is free behind them. No sender waits for it to come.
void Link::acknowledge(Picoseconds now) {
  forget_sent(now);
  if (now < ack_goes_) return;
  ack_goes_ = sent_until_.empty() ? now : sent_until_.front();
  const auto slot = lanes_.send(now, params_.ack);
  stats_.acks += 1;
  stats_.busy += slot.end - slot.start;
}

void Link::forget_sent(Picoseconds now) {
  while (!sent_until_.empty() && sent_until_.front() <= now) sent_until_.pop_front();
}

void Link::transmit(const Waiting& waiting) {
  Tlp tlp = waiting.tlp;
  const Picoseconds ready = std::max(waiting.ready, kernel_.now());
  const Picoseconds lanes_free = std::max(waiting.ready, lanes_.free_at());
  const auto slot = lanes_.send(ready, on_wire(tlp));
  forget_sent(kernel_.now());
  sent_until_.push_back(slot.end);
  stats_.tlps += 1;
  if (tlp.kind != TlpKind::read) stats_.payload += tlp.length;
  stats_.wire += on_wire(tlp);
  stats_.busy += slot.end - slot.start;
  stats_.credit_wait += slot.start - std::min(lanes_free, slot.start);
  if (Ledger* ledger = tlp.last ? tlp.transfer->ledger : nullptr) {
    if (tlp.via) ledger->close(tlp.transfer->stage, tlp.via, waiting.ready);
    ledger->waited(slot.start - waiting.ready);
  }
  tlp.via = nullptr;
  if (tlp.held) tlp.held->release(tlp, slot.start);
  tlp.held = this;
  sent_.announce([&] { return TlpSent{tlp, name(), slot.start, slot.end}; });
  const Picoseconds due = slot.end + params_.latency;
  flying_.push(tlp, due);
  kernel_.at<&Link::on_arrived>(due, this, lane_);
}

void Link::on_arrived() {
  const Tlp tlp = *flying_.pop_due(kernel_.now());
  if (tlp.last && tlp.transfer->ledger)
    tlp.transfer->ledger->close(tlp.transfer->stage, name(), kernel_.now());
  if (back_) back_->acknowledge(kernel_.now());
  far_->arrive(tlp);
}

void Link::release(const Tlp& tlp, Picoseconds now) {
  const Picoseconds back = now + params_.latency;
  if (flow_of(tlp.kind) == Flow::non_posted) non_posted_headers_.give(1, back);
  if (flow_of(tlp.kind) == Flow::posted) {
    posted_headers_.give(1, back);
    posted_data_.give(data_credits(tlp.length), back);
  }
  if (!posted_.empty() || !non_posted_.empty()) pump();
}

void Link::check_books() const {
  const Picoseconds now = kernel_.now();
  const auto inside = posted_.size() + non_posted_.size() + completions_.size() + flying_.size();
  if (inside != 0) throw ModelError(name(), now, std::to_string(inside) + " TLPs still inside");
  const Bytes carried = stats_.wire + params_.ack * stats_.acks;
  if (carried / rate(params_) > now)
    throw ModelError(name(), now, std::to_string(carried.count()) + " B are more than its rate allows");
  for (const Credits* credits : {&posted_headers_, &posted_data_, &non_posted_headers_})
    if (credits->outstanding() != 0)
      throw ModelError(name(), now, std::to_string(credits->outstanding()) + " credits not returned");
}

}  // namespace gicsim::pcie
