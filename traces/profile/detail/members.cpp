// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/detail/members.h"

#include <algorithm>

namespace gicsim::profile::detail {

void Members::add(std::size_t file, const std::string& communicator, std::int64_t rank,
                  std::optional<std::int64_t> size) {
  Communicator& of = communicators_[communicator];
  of.files.emplace(rank, file);
  if (size) of.size = size;
}

std::vector<std::int64_t> Members::ranks_in(std::size_t file, const Communicator& communicator) const {
  std::vector<std::int64_t> ranks;
  for (const auto& [rank, in] : communicator.files)
    if (in == file) ranks.push_back(rank);
  return ranks;
}

void Members::settle(schedule::Groups& groups) {
  for (const auto& [name, communicator] : communicators_)
    for (const auto& [rank, file] : communicator.files) {
      std::string& main = main_[file];
      if (main.empty() || communicators_.at(main).width() < communicator.width()) main = name;
    }
  for (const auto& [file, name] : main_)
    for (const std::int64_t rank : ranks_in(file, communicators_.at(name))) participants_.emplace_back(file, rank);
  std::stable_sort(participants_.begin(), participants_.end(), [this](const auto& a, const auto& b) {
    const std::string &of_a = main_.at(a.first), &of_b = main_.at(b.first);
    if (of_a == of_b) return a.second < b.second;
    const auto wide_a = communicators_.at(of_a).width(), wide_b = communicators_.at(of_b).width();
    return wide_a != wide_b ? wide_a > wide_b : of_a < of_b;
  });
  for (const auto& [name, communicator] : communicators_) {
    std::vector<std::uint32_t> ranks;
    for (const auto& [rank, file] : communicator.files)
      if (const auto at = find(file, name, rank)) ranks.push_back(*at);
    if (ranks.size() > 1 && static_cast<std::int64_t>(ranks.size()) == communicator.width())
      groups.set(name, std::move(ranks));
  }
}

std::optional<std::uint32_t> Members::find(std::size_t file, const std::string& communicator, std::int64_t rank) const {
  const std::string& main = main_.at(file);
  std::int64_t in_main = rank;
  if (main != communicator) {
    const auto here = ranks_in(file, communicators_.at(communicator)), there = ranks_in(file, communicators_.at(main));
    const auto at = std::find(here.begin(), here.end(), rank);
    if (at == here.end() || here.size() != there.size()) return std::nullopt;
    in_main = there[static_cast<std::size_t>(at - here.begin())];
  }
  const auto found = std::find(participants_.begin(), participants_.end(), std::pair(file, in_main));
  if (found == participants_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - participants_.begin());
}

std::optional<std::uint32_t> Members::find(const std::string& communicator, std::int64_t rank) const {
  const auto of = communicators_.find(communicator);
  if (of == communicators_.end()) return std::nullopt;
  const auto at = of->second.files.find(rank);
  return at == of->second.files.end() ? std::nullopt : find(at->second, communicator, rank);
}

}  // namespace gicsim::profile::detail
