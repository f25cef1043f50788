// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The sender's side; the receiver's stands in data_link_receiver.cpp.
#include "models/pcie/data_link.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/pcie/replay_timer.h"

namespace gicsim::pcie {
namespace {

/// Sequence numbers have 12 bits, and at most half of them are under way.
constexpr std::size_t most_unacknowledged = 2048;
/// REPLAY_NUM has two bits.
constexpr int replays_to_rollover = 4;

}  // namespace

DataLink::DataLink(Kernel& kernel, const LinkParams& params, BitRate rate, Kernel::Lane lane, const std::string& name,
                   LinkStats& stats, User& user)
    : kernel_(kernel),
      params_(params),
      lane_(lane),
      name_(name),
      stats_(stats),
      user_(user),
      errors_(params.ber, 0, name),
      lanes_(rate),
      flying_(name) {}

void DataLink::take(const Tlp& tlp, Picoseconds ready, Bytes wire) {
  fresh_.push_back({.tlp = tlp, .ready = ready, .wire = wire});
  go();
}

/// Starts what comes next, if the lanes are free.
void DataLink::go() {
  const Picoseconds now = kernel_.now();
  if (now < lanes_.free_at()) return;  // on_turn follows
  if (now < down_until_) return wake(down_until_);
  if (owes_nak_ || owes_ack_) return send_ack();
  if (owes_credit_) return send_credit();
  if (resend_ < next_) {
    const std::uint64_t sequence = resend_++;
    return send_tlp(unacked_[sequence - base_], sequence, true);
  }
  if (fresh_.empty()) return;
  Sent& next = fresh_.front();
  if (now < next.ready) return wake(next.ready);
  if (!has_room(next)) {
    if (full_since_ < Picoseconds{}) full_since_ = now;
    return;  // the next Ack makes room
  }
  if (full_since_ >= Picoseconds{}) stats_.replay_buffer_wait += now - std::exchange(full_since_, Picoseconds{-1});
  kept_ += next.wire;
  largest_ = std::max(largest_, next.tlp.kind == TlpKind::read ? 0_B : next.tlp.length);
  unacked_.push_back(std::move(next));
  fresh_.pop_front();
  resend_ = ++next_;
  send_tlp(unacked_.back(), next_ - 1, false);
}

bool DataLink::has_room(const Sent& next) const {
  const bool fits = params_.replay_buffer == 0_B || kept_ + next.wire <= params_.replay_buffer;
  return fits && unacked_.size() < most_unacknowledged;
}

void DataLink::on_turn() {
  if (wake_at_ <= kernel_.now()) wake_at_ = Picoseconds{};
  go();
}

void DataLink::wake(Picoseconds t) {
  if (wake_at_ != Picoseconds{} && wake_at_ <= t) return;
  wake_at_ = t;
  kernel_.at<&DataLink::on_turn>(t, this);
}

Slot DataLink::occupy(Bytes length) {
  const Slot slot = lanes_.send(kernel_.now(), length);
  stats_.busy += slot.end - slot.start;
  kernel_.at<&DataLink::on_turn>(slot.end, this);
  return slot;
}

void DataLink::fly(const Flying& flying, Picoseconds sent) {
  flying_.push(flying, sent + params_.latency);
  kernel_.at<&DataLink::on_arrived>(sent + params_.latency, this, lane_);
}

DataLink::Damage DataLink::damage_of(Bytes length, Bytes framing) {
  if (params_.ber.raw() == 0) return Damage::none;
  const auto first = errors_.first_in(length.count() * 8);
  if (!first) return Damage::none;
  return *first < framing.count() * 8 ? Damage::framing : Damage::content;
}

/// Framing of a TLP: its start and end symbols, from Gen 3 on an STP token that holds length and sequence number, too.
void DataLink::send_tlp(Sent& sent, std::uint64_t sequence, bool again) {
  const Slot slot = occupy(sent.wire);
  stats_.wire += sent.wire;
  if (!again) {
    sent.first = slot.start;
    user_.on_sent(sent.tlp, sent.ready, slot);
  } else {
    stats_.replays += 1;
    stats_.replayed += sent.wire;
    if (sequence >= expected_) user_.on_replayed(sent.tlp, slot);  // else its transfer may be over
  }
  ++flying_tlps_;
  fly({.what = Flying::What::tlp,
       .damage = damage_of(sent.wire, params_.generation < 3 ? 2_B : 4_B),
       .tlp = sent.tlp,
       .sequence = sequence,
       .waited = sent.first - sent.ready,
       .replayed = slot.start - sent.first},
      slot.end);
  if (!timing_) start_timer(slot.end);
}

/// Its framing: an SDP and, up to Gen 2, an end symbol.
void DataLink::send_dllp(Flying flying) {
  flying.damage = damage_of(params_.ack, 2_B);
  fly(flying, occupy(params_.ack).end);
}

void DataLink::send_ack() {
  const bool nak = std::exchange(owes_nak_, false);
  owes_ack_ = false;
  (nak ? stats_.naks : stats_.acks) += 1;
  send_dllp({.what = nak ? Flying::What::nak : Flying::What::ack,
                     .damage = Damage::none,
                     .sequence = back_->expected_});
}

/// Counts are cumulative on the wire, so that an UpdateFC makes up for one that was lost.
void DataLink::send_credit() {
  const auto due = std::find_if(owed_.begin(), owed_.end(), [](const Credit& c) { return c.headers > 0; });
  const auto flow = static_cast<Flow>(due - owed_.begin());
  Credit& lost = lost_[static_cast<std::size_t>(flow)];
  const Credit credit{flow, due->headers + lost.headers, due->data + lost.data};
  *due = lost = Credit{};
  owes_credit_ = std::any_of(owed_.begin(), owed_.end(), [](const Credit& c) { return c.headers > 0; });
  stats_.credit_updates += 1;
  send_dllp({.what = Flying::What::credit, .damage = Damage::none, .credit = credit});
}

/// All before `up_to` have arrived.
void DataLink::acknowledged(std::uint64_t up_to) {
  if (up_to <= base_) return;
  for (; base_ < up_to; ++base_) {
    kept_ -= unacked_.front().wire;
    unacked_.pop_front();
  }
  resend_ = std::max(resend_, base_);
  replays_ = 0;
  stop_timer();
  if (!unacked_.empty()) start_timer(kernel_.now());
}

void DataLink::replay() {
  if (unacked_.empty()) return;
  resend_ = base_;
  stop_timer();  // the first TLP that goes again starts it
  if (++replays_ < replays_to_rollover) return;
  replays_ = 0;
  stats_.rollover += 1;
  retrain(*back_);
}

Picoseconds DataLink::timer_limit() const {
  if (params_.replay_timer > Picoseconds{}) return params_.replay_timer;
  const Bytes payload(static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(largest_.count()))));
  return replay_timer_limit(params_.generation, params_.lanes, payload);
}

/// It keeps the run alive, but an event that comes too late doesn't. It stands still while the link retrains.
void DataLink::start_timer(Picoseconds from) {
  deadline_ = std::max(from, down_until_) + timer_limit();
  if (!std::exchange(timing_, true)) kernel_.hold();
  if (!std::exchange(ticking_, true)) kernel_.tick<&DataLink::on_timer>(deadline_, this);
}

void DataLink::stop_timer() {
  if (std::exchange(timing_, false)) kernel_.release();
}

void DataLink::on_timer() {
  ticking_ = false;
  if (!timing_) return;
  if (kernel_.now() < deadline_) {
    ticking_ = true;
    return kernel_.tick<&DataLink::on_timer>(deadline_, this);
  }
  stats_.timeout += 1;
  replay();
  go();
}

/// Both ends leave L0. The port that found the reason hears nothing until they are back.
void DataLink::retrain(DataLink& deaf) {
  stats_.retrains += 1;
  const Picoseconds until = kernel_.now() + params_.retrain;
  deaf.deaf_until_ = until;
  for (DataLink* direction : {this, back_}) {
    if (direction->timing_) direction->deadline_ += until - std::max(kernel_.now(), direction->down_until_);
    direction->down_until_ = until;
    direction->wake(until);
  }
}

}  // namespace gicsim::pcie
