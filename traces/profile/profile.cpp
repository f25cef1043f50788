// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/profile.h"

#include <algorithm>
#include <limits>

namespace gicsim::profile {

Profile::Profile(std::string format, std::shared_ptr<Common> common, std::vector<std::unique_ptr<Reader>> ranks,
                 std::vector<std::string> hosts)
    : format_(std::move(format)), common_(std::move(common)), ranks_(std::move(ranks)), hosts_(std::move(hosts)) {
  origin_ = std::numeric_limits<std::int64_t>::max();
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    timelines_.emplace_back(static_cast<std::uint32_t>(rank), common_->unused);
    prime(rank);
    if (const auto earliest = timelines_[rank].earliest()) origin_ = std::min(origin_, *earliest);
  }
}

/// As far ahead as work may be out of order.
void Profile::prime(std::size_t rank) {
  for (Work work; timelines_[rank].wants() && ranks_[rank]->next(work); work = Work{})
    timelines_[rank].add(std::move(work));
}

bool Profile::next(std::size_t rank, schedule::Step& step) {
  prime(rank);
  return timelines_[rank].next(origin_, step);
}

void Profile::rewind() {
  common_->unused.clear();
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    ranks_[rank]->rewind();
    timelines_[rank] = Timeline(static_cast<std::uint32_t>(rank), common_->unused);
  }
}

double Profile::progress() const {
  double sum = 0;
  for (const auto& rank : ranks_) sum += rank->progress();
  return ranks_.empty() ? 1 : sum / static_cast<double>(ranks_.size());
}

}  // namespace gicsim::profile
