// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace gicsim {

/// Times, in buckets no wider than 1/64 of what they hold: a few KiB however many there are.
class Quantiles {
 public:
  void add(std::int64_t time) {
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0));
    const std::size_t at = bucket(value);
    if (counts_.size() <= at) counts_.resize(at + 1);
    ++counts_[at];
    least_ = n_ == 0 ? value : std::min(least_, value);
    most_ = std::max(most_, value);
    ++n_;
  }
  std::uint64_t n() const { return n_; }
  std::uint64_t least() const { return least_; }
  std::uint64_t most() const { return most_; }
  /// The smallest bucket's upper end at or below which the fraction `q` lies.
  std::uint64_t at(double q) const {
    const auto rank = static_cast<std::uint64_t>(q * static_cast<double>(n_ - 1));
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      below += counts_[i];
      if (below > rank) return std::clamp(upper(i), least_, most_);
    }
    return most_;
  }

 private:
  static constexpr std::size_t fine = 64;
  static std::size_t bucket(std::uint64_t value) {
    if (value < fine) return value;
    const int shift = std::bit_width(value) - 7;
    return static_cast<std::size_t>(shift) * fine + (value >> shift);
  }
  static std::uint64_t upper(std::size_t i) {
    if (i < 2 * fine) return i;
    const std::size_t shift = i / fine - 1;
    return ((i % fine + fine + 1) << shift) - 1;
  }
  std::vector<std::uint64_t> counts_;
  std::uint64_t n_ = 0, least_ = 0, most_ = 0;
};

}  // namespace gicsim
