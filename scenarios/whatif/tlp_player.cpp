// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/tlp_player.h"

#include <algorithm>

#include "models/units/text.h"

namespace gicsim::whatif {
namespace {

constexpr std::size_t most_ended = 1 << 16;  ///< requests that have ended and may be asked for
constexpr Count told_every = 4096;

Stage stage_of(const tlp::Record& record) {
  const auto* found = std::find(std::begin(stage_names), std::end(stage_names), record.stage.value_or(""));
  if (found != std::end(stage_names)) return static_cast<Stage>(found - std::begin(stage_names));
  return record.kind == TlpKind::write ? Stage::remote_write : Stage::remote_read;
}

constexpr Transfer::Kind kind_of(TlpKind kind) {
  return kind == TlpKind::write  ? Transfer::Kind::write
         : kind == TlpKind::read ? Transfer::Kind::read
                                 : Transfer::Kind::atomic;
}

}  // namespace

TlpPlayer::TlpPlayer(Kernel& kernel, Probe<TlpSent>& tlps, tlp::Requests& trace, TlpStands stands, Start start)
    : kernel_(kernel), trace_(trace), stands_(std::move(stands)), start_(start), lanes_(stands_.seats.size()) {
  for (const TlpSeat& seat : stands_.seats) origin_ = std::max(origin_, seat.lead);
  for (std::size_t link = 0; link < stands_.links.size(); ++link)
    for (const bool up : {true, false})
      if (const std::string& name = stands_.links[link][up ? 0 : 1]; !name.empty()) ways_.emplace(name, Way{link, up});
  tlps.listen([this](const TlpSent& sent) { on_sent(sent); });
}

void TlpPlayer::start() { read(); }

void TlpPlayer::on_due() {
  const auto next = due_.begin();
  Live& one = *next->second;
  due_.erase(next);
  submit(one);
  --ahead_, ++begun_;
  if (progress_ && ++since_ >= told_every) since_ = 0, progress_();
  read();
}

void TlpPlayer::submit(Live& one) {
  const tlp::Record& record = one.request.record;
  const TlpSeat& seat = stands_.seats[one.request.entry];
  Transfer& transfer = seat.port->make();
  transfer.kind = kind_of(record.kind);
  transfer.stage = stage_of(record);
  transfer.ordered = seat.sets_order && !record.relaxed;
  transfer.relaxed = record.relaxed && record.kind == TlpKind::write;
  transfer.by_id = record.by_id;
  transfer.poisoned = record.poisoned && record.kind == TlpKind::write;
  transfer.address_type = record.address_type;
  transfer.address = stands_.target(one.request);
  transfer.length = record.kind == TlpKind::atomic ? 8_B : record.length;
  if (record.kind == TlpKind::atomic && record.length > 8_B) transfer.op = AtomicOp::compare_swap;
  transfer.initiator = this;
  transfer.begun = kernel_.now();
  transfer.cookie = &one;
  Sum& sum = sums_[{one.request.entry, record.kind}];
  ++sum.n;
  sum.bytes += record.length;
  seat.port->submit(transfer);
}

void TlpPlayer::on_sent(const TlpSent& sent) {
  const Tlp& tlp = sent.tlp;
  if (!tlp.transfer || tlp.transfer->initiator != this) return;
  const auto found = ways_.find(sent.link);
  if (found == ways_.end()) return;
  Live& one = *static_cast<Live*>(tlp.transfer->cookie);
  const tlp::Entry& entry = trace_.entries()[one.request.entry];
  const auto [link, up] = found->second;
  const bool own = link == entry.link, out = up == (entry.direction == tlp::Direction::up);
  if (tlp.kind == TlpKind::completion) {
    if (!own || out || !tlp.last) return;
    one.answered = sent.begin;
    return tell(one, {What::answered, link, sent.begin});
  }
  if (own && out && one.begun < Picoseconds{}) {
    one.begun = sent.begin;
    one.spent[queued] += std::max(Picoseconds{}, sent.begin - one.due);
    const Picoseconds late = sent.begin - origin_ - (one.request.record.begin - trace_.first());
    sums_[{one.request.entry, one.request.record.kind}].late.add(late.count());
  }
  if (!tlp.last) return;
  one.last = sent.begin;
  ++one.links;
  tell(one, {own && out ? What::entered : What::passed, link, sent.begin});
}

TlpPlayer::Spent TlpPlayer::until(const Live& one, What what, Picoseconds at) const {
  Spent spent = one.spent;
  const Picoseconds begun = one.begun < Picoseconds{} ? one.due : one.begun;
  spent[what == What::answered ? answer : way] += at - begun;
  return spent;
}

void TlpPlayer::went(const Live& one, What what, Picoseconds at) {
  if (at - origin_ < end_) return;
  end_ = at - origin_, chain_ = until(one, what, at);
}

void TlpPlayer::tell(Live& one, Fact fact) {
  one.facts.push_back(fact);
  went(one, fact.what, fact.at);
  wake(one);
}

void TlpPlayer::wake(Live& one) {
  std::vector<std::size_t> waiters;
  waiters.swap(one.waiters);
  for (const std::size_t entry : waiters) advance(entry);
}

void TlpPlayer::on_transferred(Transfer& transfer) {
  Live& one = *static_cast<Live*>(transfer.cookie);
  const tlp::Record& record = one.request.record;
  Sum& sum = sums_[{one.request.entry, record.kind}];
  if (transfer.status != CompletionStatus::successful) {
    ++sum.failed;
    ++failures_[std::string(name_of(transfer.status)) + " from " + transfer.ended_by + (*transfer.why ? ": " : "") +
                transfer.why];
  } else if (one.answered >= Picoseconds{} && one.begun >= Picoseconds{}) {
    sum.answered.add((one.answered - one.begun).count());
  }
  if (one.links > 1) sum.passed.add((one.last - one.begun).count());
  one.ended = true, one.ended_at = kernel_.now();
  --live_;
  wake(one);
  remember(one);
  read();
}

/// A request that is still to be read may have come after it.
void TlpPlayer::remember(Live& one) {
  ended_.push_back(one.request.number);
  if (ended_.size() <= most_ended) return;
  known_.erase(ended_.front());
  ended_.pop_front();
}

std::vector<std::string> TlpPlayer::waiting() const {
  std::vector<std::string> lines;
  for (std::size_t entry = 0; entry < lanes_.size(); ++entry)
    if (!lanes_[entry].next.empty())
      lines.push_back(trace_.links()[trace_.entries()[entry].link] + ": " +
                      text::write(static_cast<Count>(lanes_[entry].next.size())) +
                      " requests that were read wait for what came before them in the trace");
  if (live_ > ahead_) lines.push_back(text::write(live_ - ahead_) + " requests have no answer, or haven't arrived");
  return lines;
}

}  // namespace gicsim::whatif
