// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gicsim::schedule {

/// The labels of one rank's steps. Most generators count them (l1, l2, ...): those are worked out and take no memory;
/// of others the last `most` are kept.
class Labels {
 public:
  explicit Labels(std::size_t most) : most_(most) {}
  /// Step `number`, the next one; without a label: empty. @return false: another one has it
  bool add(std::string_view label, std::uint64_t number);
  std::optional<std::uint64_t> find(std::string_view label) const;
  bool has_forgotten() const { return forgotten_; }

 private:
  static std::optional<std::uint64_t> counted(std::string_view label);

  std::size_t most_;
  std::uint64_t first_ = 0, count_ = 0;  ///< steps 0 .. count_ - 1 are l<first_ + number>
  bool counting_ = true, forgotten_ = false;
  std::unordered_map<std::string, std::uint64_t> others_;
  std::deque<std::string> order_;
};

}  // namespace gicsim::schedule
