// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/detail/labels.h"

#include <charconv>

namespace gicsim::schedule {

/// Of one digit or without a leading 0: l01 is another label than l1.
std::optional<std::uint64_t> Labels::counted(std::string_view label) {
  if (label.size() < 2 || label.size() > 19 || label[0] != 'l' || (label[1] == '0' && label.size() > 2))
    return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, wrong] = std::from_chars(label.data() + 1, label.data() + label.size(), value);
  if (wrong != std::errc{} || end != label.data() + label.size()) return std::nullopt;
  return value;
}

bool Labels::add(std::string_view label, std::uint64_t number) {
  if (counting_) {
    const auto value = counted(label);
    if (value && number == 0) first_ = *value;
    if (value && *value == first_ + number) {
      ++count_;
      return true;
    }
    counting_ = false;
  }
  if (label.empty()) return true;
  if (find(label)) return false;
  others_.emplace(label, number);
  order_.emplace_back(label);
  if (order_.size() > most_) {
    others_.erase(order_.front());
    order_.pop_front();
    forgotten_ = true;
  }
  return true;
}

std::optional<std::uint64_t> Labels::find(std::string_view label) const {
  if (const auto value = counted(label); value && *value >= first_ && *value - first_ < count_) return *value - first_;
  const auto found = others_.find(std::string(label));
  if (found == others_.end()) return std::nullopt;
  return found->second;
}

}  // namespace gicsim::schedule
