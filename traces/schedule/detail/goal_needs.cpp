// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "traces/schedule/detail/goal_block.h"

namespace gicsim::schedule {
namespace {

constexpr std::size_t most_needs = 1 << 20;  ///< of a step
constexpr std::size_t most_late = 1 << 20;   ///< needs of a rank that name what hasn't come

}  // namespace

void GoalBlock::require(const Token& who, const Token& what, Need::Until until) {
  if (who.text == what.text) cursor_.fail(who, fmt::format("'{}' requires itself and would never begin", who.text));
  const auto step = labels_.find(who.text);
  if (!step) return put_off(who.text, {who, what, until});
  if (*step < first())
    cursor_.fail(who, fmt::format("'{}' is {} steps back; in a file of this size the needs of a step have to follow it "
                                  "within {}",
                                  who.text, count_ - *step, hold_));
  Held& held = held_[*step - first()];
  const auto needed = labels_.find(what.text);
  if (!needed) {
    ++held.unknown;
    return put_off(what.text, {who, what, until});
  }
  if (*needed > *step && *needed - *step >= Source::reach)
    cursor_.fail(who, fmt::format("'{}' comes {} steps behind '{}'; needs may point {} steps ahead", what.text,
                                  *needed - *step, who.text, Source::reach - 1));
  if (held.step.needs.size() == most_needs)
    cursor_.fail(who, fmt::format("'{}' requires more than {} steps", who.text, most_needs));
  held.step.needs.push_back({*needed, until});
}

void GoalBlock::put_off(const std::string& missing, Late late) {
  if (++late_count_ > most_late) fail_late(false);
  late_[missing].push_back(std::move(late));
}

void GoalBlock::check_ended() {
  if (!late_.empty()) fail_late(true);
}

/// Of those whose labels haven't come, the first in the file.
void GoalBlock::fail_late(bool ended) {
  const Late* first = nullptr;
  const std::string* missing = nullptr;
  for (const auto& [label, all] : late_)
    for (const Late& one : all)
      if (!first || std::pair(one.who.line, one.who.column) < std::pair(first->who.line, first->who.column)) {
        first = &one;
        missing = &label;
      }
  const Token& at = *missing == first->who.text ? first->who : first->what;
  if (!ended) cursor_.fail(at, fmt::format("'{}' doesn't come within {} steps", *missing, std::min(hold_, most_late)));
  cursor_.fail(at, fmt::format("'{}' is no label of rank {}{}", *missing, rank_,
                               labels_.has_forgotten() ? ", at least not of its last steps" : ""));
}

}  // namespace gicsim::schedule
