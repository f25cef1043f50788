// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/timeline.h"

#include <algorithm>

namespace gicsim::profile {
namespace {

using schedule::Action;
using schedule::Step;

constexpr std::int64_t longest = 50LL * 86'400 * 1'000'000'000;  // ns, of the 106 days that picoseconds hold
constexpr std::size_t longest_name = 120;                        // of kernels: their template arguments go on for pages

Picoseconds in_ps(std::int64_t ns) { return std::chrono::nanoseconds(std::clamp(ns, -longest, longest)); }

}  // namespace

void Timeline::add(Work work) {
  if (work.name.size() > longest_name) work.name.resize(longest_name);
  work.end = std::max(work.end, work.begin);
  if (read_ == 0) last_begin_ = work.begin;
  early_.emplace(read_++, std::move(work));
}

std::optional<std::int64_t> Timeline::earliest() const {
  return early_.empty() ? std::nullopt : std::optional(early_.top().second.begin);
}

void Timeline::place(Work work, std::int64_t origin) {
  if (work.begin < last_begin_ && placed_ > 0)
    unused_->add(
        "work that stands more than 4096 pieces behind its time in the file: it follows what its stream did then",
        work.place);
  last_begin_ = std::max(last_begin_, work.begin);
  for (; !busy_.empty() && busy_.top().end <= work.begin; busy_.pop())
    latest_ = std::max(latest_.value_or(Ended{}), busy_.top());
  if (busy_.size() > reach) busy_.pop();

  std::vector<std::uint64_t> needs;
  std::int64_t ready = origin;
  const auto before = before_.find(work.lane);
  if (before != before_.end()) {
    needs.push_back(before->second.id);
    ready = before->second.end;
  }
  if (latest_ && latest_->end <= work.begin && (needs.empty() || latest_->end > ready)) {
    needs.push_back(latest_->id);
    ready = latest_->end;
  }
  if (ready > work.begin && before != before_.end() && ready - work.begin > 1000)
    unused_->add("work that begins while its stream is busy: it begins when that has ended", work.place);

  Step step;
  step.name = work.name;
  step.place = work.place;
  step.gap = in_ps(std::max<std::int64_t>(0, work.begin - ready));
  if (work.timed) step.began = in_ps(work.begin - origin), step.ended = in_ps(work.end - origin);
  const Ended ended{work.end, placed_};
  switch (work.kind) {
    case Work::Kind::calc:
      step.time = in_ps(work.end - work.begin);
      step.lane = lane(work.lane);
      feed_.add(std::move(step), placed_, needs);
      break;
    case Work::Kind::collective: {
      schedule::Collective collective;
      collective.what = work.operation;
      collective.bytes = work.bytes;
      collective.root = work.root;
      collective.name = std::move(work.name);
      collective.lane = lane("messages of " + work.lane);
      feed_.add(std::move(collective), work.group, self_, step, placed_, needs);
      break;
    }
    default:
      step.action = work.kind == Work::Kind::send ? Action::send : Action::recv;
      step.peer = work.peer;
      step.tag = work.group ? work.group->id : 0;
      step.bytes = work.bytes;
      step.lane = lane("messages of " + work.lane);
      feed_.add(std::move(step), placed_, needs);
      break;
  }
  ++placed_;
  busy_.push(ended);
  before_.insert_or_assign(work.lane, ended);
}

bool Timeline::next(std::int64_t origin, Step& step) {
  while (feed_.room() && feed_.empty() && !early_.empty()) {
    Work work = early_.top().second;
    early_.pop();
    place(std::move(work), origin);
  }
  if (feed_.empty()) return false;
  std::vector<std::uint64_t> missing;  // so far back that its lane alone keeps the order
  step = feed_.take(missing);
  return true;
}

}  // namespace gicsim::profile
