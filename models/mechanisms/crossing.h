// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include "models/base/random.h"
#include "models/base/spread.h"

namespace gicsim {

/// The way into another clock domain: what comes waits for the next edge, anything up to a cycle. Half a cycle of it is
/// part of the latency that follows, so what is drawn runs from minus to plus half a cycle. Order is kept.
class Crossing {
 public:
  /// Takes its mean each time.
  Crossing() = default;
  Crossing(Frequency clock, const Spread& spread, std::string_view who)
      : cycle_(spread.params.clock_crossing ? Cycles(1) / clock : Picoseconds{}), random_(spread.seed, who) {}

  /// @param now  nothing comes out before
  /// @param due  when it would on average
  Picoseconds operator()(Picoseconds now, Picoseconds due) {
    if (cycle_ == Picoseconds{}) return due;
    const Picoseconds wait{static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(cycle_.count()) + 1))};
    return last_ = std::max({now, last_, due + wait - cycle_ / 2});
  }

 private:
  Picoseconds cycle_{}, last_{};
  RandomStream random_{0, ""};
};

}  // namespace gicsim
