// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

namespace gicsim::roce {

/// How far `psn` lies beyond `from` on the 24-bit circle; behind it: negative.
constexpr std::int64_t psn_beyond(std::uint32_t from, std::uint32_t psn) {
  const std::uint32_t d = (psn - from) & 0xff'ffff;
  return d < 0x80'0000 ? std::int64_t{d} : std::int64_t{d} - 0x100'0000;
}
constexpr std::uint32_t psn_after(std::uint32_t psn, std::int64_t n) {
  return (psn + static_cast<std::uint32_t>(n)) & 0xff'ffff;
}

/// PSNs that were passed over, as ranges in order; the oldest are forgotten.
class Gaps {
 public:
  void add(std::uint32_t from, std::int64_t n) {
    if (ranges_.size() == most) ranges_.pop_front();
    ranges_.push_back({from, n});
  }
  /// @return whether `psn` was one of them; it isn't any more
  bool take(std::uint32_t psn) {
    for (std::size_t i = ranges_.size(); i-- > 0;) {
      Range& range = ranges_[i];
      const std::int64_t d = psn_beyond(range.from, psn);
      if (d < 0 || d >= range.n) continue;
      const Range behind{psn_after(psn, 1), range.n - d - 1};
      range.n = d;
      auto at = ranges_.begin() + static_cast<std::ptrdiff_t>(i);
      if (range.n == 0) at = ranges_.erase(at);
      else ++at;
      if (behind.n > 0) ranges_.insert(at, behind);
      return true;
    }
    return false;
  }

 private:
  struct Range {
    std::uint32_t from;
    std::int64_t n;
  };
  static constexpr std::size_t most = 1024;
  std::deque<Range> ranges_;
};

}  // namespace gicsim::roce
