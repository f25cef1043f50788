// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/link.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/base/errors.h"

namespace gicsim::pcie {
namespace {

constexpr LaneRate lane_rate(Count generation) {
  constexpr LaneRate rates[] = {LaneRate::megatransfers(2'500), 5_GTps, 8_GTps, 16_GTps, 32_GTps};
  return rates[generation - 1];
}

/// Payload travels in whole words of 4 B, from the word that holds its first byte.
Bytes whole_words(const Tlp& tlp) {
  const Bytes before(static_cast<std::int64_t>(tlp.address % 4));
  return pieces(before + tlp.length, 4_B) * 4_B;
}

/// AtomicOps bring a few bytes each: their headers run out before.
Count data_of(const Tlp& tlp) { return flow_of(tlp.kind) == Flow::non_posted ? 0 : data_credits(tlp.length); }

std::optional<Count> unless_infinite(Count credits) {
  return credits == 0 ? std::nullopt : std::optional<Count>(credits);
}

}  // namespace

BitRate rate(const LinkParams& params) {
  return bit_rate(lane_rate(params.generation), params.lanes,
                  params.generation < 3 ? Encoding{8, 10} : Encoding{128, 130});
}

Bytes on_wire(const LinkParams& params, const Tlp& tlp) {
  constexpr Address four_gib = Address{1} << 32;
  const Bytes saved = params.short_headers && tlp.address < four_gib ? 4_B : 0_B;
  switch (tlp.kind) {
    case TlpKind::write: return whole_words(tlp) + params.write_overhead - saved;
    case TlpKind::read: return params.read_overhead - saved;
    case TlpKind::completion: return whole_words(tlp) + params.completion_overhead;
    case TlpKind::atomic: return whole_words(tlp) + params.read_overhead - saved;
    case TlpKind::message: return whole_words(tlp) + params.write_overhead;
  }
  return {};
}

Link::Link(sc_core::sc_module_name name, Kernel& kernel, const LinkParams& params, Kernel::Lane lane,
           Probe<TlpSent>& sent, Far far)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      lane_(lane),
      sent_(sent),
      lanes_(rate(params)),
      credits_{FlowCredits(std::string(this->name()) + ".posted", params.posted_headers, params.posted_data / 16_B),
               FlowCredits(std::string(this->name()) + ".non_posted", params.non_posted_headers, std::nullopt),
               FlowCredits(std::string(this->name()) + ".completion",
                           unless_infinite(far == Far::endpoint ? 0 : params.completion_headers),
                           unless_infinite(far == Far::endpoint ? 0 : params.completion_data / 16_B))},
      waiting_(params.overtaking, credits_[static_cast<std::size_t>(Flow::completion)].finite()) {
  DataLink::User& user = *this;
  if (needs_data_link(params))
    data_link_ = std::make_unique<DataLink>(kernel, params, rate(params), lane, this->name(), stats_, user);
  replay_name_ = std::string(this->name()) + ".replay";
  in.bind(*this);
}

void Link::acknowledged_by(Link& back) {
  back_ = &back;
  if (data_link_ && back.data_link_) data_link_->acknowledged_by(*back.data_link_);
}

void Link::vary(const Spread& spread) {
  if (data_link_) data_link_->seed(spread.seed);
}

void Link::end_of_elaboration() {
  far_ = out.operator->();
  if (data_link_ && !data_link_->connected())
    throw ModelError(name(), kernel_.now(), "its data link layer lacks that of the other direction");
}

void Link::arbitrate(Arbitration how) {
  in_turn_ = how == Arbitration::round_robin;
  if (in_turn_) waiting_.take_turns();
}

void Link::send(const Tlp& tlp, Picoseconds ready) {
  if (in_turn_) {
    entering_.push(tlp, ready);
    return kernel_.at<&Link::on_entered>(ready, this, lane_);
  }
  if (waiting_.empty() && take_credits(tlp)) return transmit(tlp, ready);
  waiting_.push(tlp, ready);
  stats_.queued_peak = std::max(stats_.queued_peak, static_cast<Count>(waiting_.size()) - 1);
  pump();
}

bool Link::take_credits(const Tlp& tlp) { return credits_of(tlp).take(data_of(tlp), kernel_.now()); }

void Link::pump() {
  if (in_turn_) return pump_in_turn();
  while (waiting_.send_first([this](const Tlp& tlp) { return take_credits(tlp); },
                             [this](const TlpQueues::Waiting& next) { transmit(next.tlp, next.ready); })) {
  }
  if (waiting_.empty()) return;
  await_credits();
}

void Link::on_entered() {
  const Picoseconds now = kernel_.now();
  waiting_.push(*entering_.pop_due(now), now);
  stats_.queued_peak = std::max(stats_.queued_peak, static_cast<Count>(waiting_.size()) - 1);
  pump_in_turn();
}

/// One TLP at a time, as whose turn it is shows when the lanes are free.
void Link::pump_in_turn() {
  while (!waiting_.empty() && lanes_free() <= kernel_.now()) {
    if (!waiting_.send_first([this](const Tlp& tlp) { return take_credits(tlp); },
                             [this](const TlpQueues::Waiting& next) { transmit(next.tlp, next.ready); }))
      return await_credits();
  }
  if (waiting_.empty() || std::exchange(awaits_lanes_, true)) return;
  kernel_.at<&Link::on_lanes_free>(lanes_free(), this, lane_);
}

void Link::on_lanes_free() {
  awaits_lanes_ = false;
  pump_in_turn();
}

void Link::await_credits() {
  stats_.passed = waiting_.overtaken();
  const Picoseconds again = credits_back();
  const bool retry_comes = retry_at_ != Picoseconds{} && retry_at_ <= again;
  if (again == Picoseconds::max() || retry_comes) return;
  retry_at_ = again;
  kernel_.at<&Link::on_credits_due>(again, this, lane_);
}

/// When something that waits may find its credits; never: nothing waits for them, or the receiver hasn't released what
/// is missing. A read behind a blocked write waits for the write.
Picoseconds Link::credits_back() {
  Picoseconds earliest = Picoseconds::max();
  waiting_.see_candidates(
      [&](const Tlp& tlp) { earliest = std::min(earliest, credits_of(tlp).available_at(data_of(tlp))); });
  return earliest;
}

void Link::on_credits_due() {
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

void Link::transmit(const Tlp& given, Picoseconds ready) {
  const Picoseconds now = kernel_.now();
  const Bytes length = on_wire(params_, given);
  const Picoseconds free = std::max(ready, lanes_free());
  if (data_link_) {
    stats_.credit_wait += now - std::min(free, now);
    return data_link_->take(given, ready, length);
  }
  Tlp tlp = given;
  const auto slot = lanes_.send(std::max(ready, now), length);
  forget_sent(now);
  sent_until_.push_back(slot.end);
  stats_.wire += length;
  stats_.busy += slot.end - slot.start;
  stats_.credit_wait += slot.start - std::min(free, slot.start);
  leave(tlp, ready, slot);
  if (tlp.last && tlp.transfer->ledger) tlp.transfer->ledger->waited(slot.start - ready);
  const Picoseconds due = slot.end + params_.latency;
  flying_.push(tlp, due);
  kernel_.at<&Link::on_arrived>(due, this, lane_);
}

/// For the first time, if it isn't the last.
void Link::leave(Tlp& tlp, Picoseconds ready, Slot slot) {
  stats_.tlps += 1;
  if (tlp.kind != TlpKind::read) stats_.payload += tlp.length;
  if (Ledger* ledger = tlp.last && tlp.via ? tlp.transfer->ledger : nullptr)
    ledger->close(tlp.transfer->stage, tlp.via, ready);
  tlp.via = nullptr;
  if (tlp.held) tlp.held->release(tlp, slot.start);
  tlp.held = this;
  sent_.announce([&] { return TlpSent{tlp, name(), slot.start, slot.end}; });
}

void Link::on_replayed(const Tlp& tlp, Slot slot) {
  sent_.announce([&] { return TlpSent{tlp, name(), slot.start, slot.end}; });
}

void Link::on_arrived() {
  const Tlp tlp = *flying_.pop_due(kernel_.now());
  if (back_) back_->acknowledge(kernel_.now());
  land(tlp);
}

/// Sendings before the one that was accepted have a row of their own.
void Link::on_accepted(const Tlp& tlp, Picoseconds waited, Picoseconds replayed) {
  if (Ledger* ledger = tlp.last ? tlp.transfer->ledger : nullptr) {
    ledger->waited(waited);
    ledger->close(tlp.transfer->stage, name(), std::max(ledger->last(), kernel_.now() - replayed));
    ledger->close(Stage::retransmit, replay_name_.c_str(), kernel_.now());
  }
  land(tlp);
}

void Link::land(const Tlp& tlp) {
  if (tlp.last && tlp.transfer->ledger)
    tlp.transfer->ledger->close(tlp.transfer->stage, name(), kernel_.now());
  far_->arrive(tlp);
}

void Link::release(const Tlp& tlp, Picoseconds now) {
  if (params_.credit_updates) return data_link_->release(flow_of(tlp.kind), 1, data_of(tlp), now);
  credits_of(tlp).give(1, data_of(tlp), now + params_.latency);
  if (!waiting_.empty()) pump();
}

void Link::on_credits(Flow flow, Count headers, Count data) {
  credits_[static_cast<std::size_t>(flow)].give(headers, data, kernel_.now());
  if (!waiting_.empty()) pump();
}

void Link::check_books() const {
  const Picoseconds now = kernel_.now();
  const auto inside =
      waiting_.size() + static_cast<std::size_t>(entering_.size() + flying_.size()) + (data_link_ ? data_link_->inside() : 0);
  if (inside != 0) throw ModelError(name(), now, std::to_string(inside) + " TLPs still inside");
  const Bytes carried = stats_.wire + params_.ack * (stats_.acks + stats_.naks + stats_.credit_updates);
  if (carried / rate(params_) > now)
    throw ModelError(name(), now, std::to_string(carried.count()) + " B are more than its rate allows");
  for (const FlowCredits& credits : credits_)
    if (credits.outstanding() != 0)
      throw ModelError(name(), now, std::to_string(credits.outstanding()) + " credits not returned");
}

}  // namespace gicsim::pcie
