// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "models/units/bit_rate.h"

namespace gicsim {

/// A rate limiter: after each packet, the next one may begin when this one would have ended at that
/// rate. No bursts: time that went by unused is lost. When the rate changes, what is left of the
/// wait changes with it.
///
/// Closed form: with packets always at hand, the n-th from 0 begins at the sum of length(i) / rate
/// over i < n, each rounded up.
class Pacer {
 public:
  explicit constexpr Pacer(BitRate rate) : rate_(rate) {}

  constexpr BitRate rate() const { return rate_; }
  /// When the next packet may begin; in the past: at once.
  constexpr Picoseconds next() const { return next_; }
  constexpr void send(Bytes length, Picoseconds now) {
    next_ = std::max(now, next_) + length / rate_;
  }

  constexpr void set_rate(BitRate rate, Picoseconds now) {
    if (next_ > now && rate != rate_)
      next_ = now + Picoseconds{detail::multiply_divide_up(
                        (next_ - now).count(), rate_.bits_per_second(), rate.bits_per_second())};
    rate_ = rate;
  }

 private:
  BitRate rate_;
  Picoseconds next_{};
};

}  // namespace gicsim
