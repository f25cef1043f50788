// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/commit_queue.h"

#include <algorithm>

namespace gicsim {

void CommitQueue::vary(const Spread& spread, std::string_view who) {
  if (!spread.params.write_commit) return;
  plain_ = false;
  longest_wait_ = spread.params.write_commit_wait;
  random_ = RandomStream(spread.seed, who);
  channels_.resize(static_cast<std::size_t>(spread.params.memory_channels));
}

Picoseconds CommitQueue::channel_wait() {
  if (longest_wait_ == Picoseconds{}) return {};
  return Picoseconds{static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(longest_wait_.count()) + 1))};
}

CommitQueue::Taken CommitQueue::take_strict(std::uint64_t address, Bytes length, Picoseconds now) {
  Picoseconds start = std::max(now, entered_);
  while (!pending_.empty() && (pending_.front().visible <= start || uncommitted_ + length > terms_.window)) {
    start = std::max(start, pending_.front().visible);
    uncommitted_ -= pending_.pop_front().length;
  }
  entered_ = start;
  const Picoseconds visible = std::max(start + terms_.strict + channel_wait(), newest_);
  pending_.push_back({visible, length});
  uncommitted_ += length;
  if (terms_.window > Bytes{})
    full_ += Picoseconds{detail::multiply_divide_up((visible - start).count(), length.count(), terms_.window.count())};
  channel(address) = newest_ = visible;
  return {start, visible};
}

CommitQueue::Taken CommitQueue::take_relaxed(std::uint64_t address, Picoseconds now) {
  const Picoseconds start = std::max(now, busy_until_) + terms_.handling;
  busy_until_ = start;
  Picoseconds& before = channel(address);
  before = std::max(before, start + terms_.relaxed + channel_wait());
  newest_ = std::max(newest_, before);
  return {start, before};
}

}  // namespace gicsim
