// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/groups.h"

#include <algorithm>

namespace gicsim::schedule {

bool Groups::set(std::string_view name, std::vector<std::uint32_t> ranks) {
  const auto found = groups_.find(name);
  if (found != groups_.end()) return found->second->ranks == ranks;
  const auto id = static_cast<std::uint32_t>(groups_.size());
  groups_.emplace(name, std::make_shared<Communicator>(Communicator{id, std::move(ranks)}));
  return true;
}

std::shared_ptr<const Communicator> Groups::find(std::string_view name) const {
  const auto found = groups_.find(name);
  return found == groups_.end() ? nullptr : found->second;
}

std::optional<std::size_t> place_of(std::uint32_t rank, const Communicator& in) {
  const auto at = std::find(in.ranks.begin(), in.ranks.end(), rank);
  if (at == in.ranks.end()) return std::nullopt;
  return static_cast<std::size_t>(at - in.ranks.begin());
}

}  // namespace gicsim::schedule
