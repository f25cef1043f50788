// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/base/errors.h"
#include "traces/schedule/step.h"

namespace gicsim::schedule {

/// Of one rank: turns needs that are given by name, before or behind the steps that they are about, into numbers. It holds
/// back `reach` steps, and knows the names of as many that have left it.
template <class Name>
class Window {
 public:
  explicit Window(std::size_t reach) : reach_(reach) {}

  /// @return false: there is one of that name
  bool add(Step step, const std::optional<Name>& name) {
    step.number = next_++;
    if (name) {
      if (!numbers_.try_emplace(*name, step.number).second) return false;
      named_.emplace_back(step.number, *name);
    }
    held_.push_back({std::move(step), {}});
    return true;
  }
  /// The number that the next step gets.
  std::uint64_t next() const { return next_; }
  /// The number of a step that was added and isn't forgotten.
  std::optional<std::uint64_t> number(const Name& name) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
  }
  bool holds(std::uint64_t number) const { return number >= first() && number < next_; }
  /// Step `number`, which is held, needs one of that name, wherever it stands.
  void need(std::uint64_t number, Name name, Need::Until until) {
    held_[number - first()].names.emplace_back(std::move(name), until);
  }
  /// No more is read before some are taken.
  bool full() const { return held_.size() > reach_; }
  bool empty() const { return held_.empty(); }
  /// The oldest step with its needs; names that aren't within reach, to `missing`.
  Step take(std::vector<Name>& missing) {
    Held held = std::move(held_.front());
    for (auto& [name, until] : held.names)
      if (const auto of = number(name)) held.step.needs.push_back({*of, until});
      else missing.push_back(std::move(name));
    held_.pop_front();
    while (!named_.empty() && named_.front().first + reach_ < first()) {
      numbers_.erase(named_.front().second);
      named_.pop_front();
    }
    return std::move(held.step);
  }

 private:
  struct Held {
    Step step;
    std::vector<std::pair<Name, Need::Until>> names;
  };
  std::uint64_t first() const { return next_ - held_.size(); }

  std::size_t reach_;
  std::uint64_t next_ = 0;
  std::deque<Held> held_;
  std::unordered_map<Name, std::uint64_t> numbers_;
  std::deque<std::pair<std::uint64_t, Name>> named_;
};

}  // namespace gicsim::schedule
