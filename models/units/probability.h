// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/units/time.h"

namespace gicsim {

/// From never to always, in steps of 1e-18: exact for what people write, equal on every machine.
class Probability : public Ordered<Probability> {
 public:
  static constexpr std::int64_t certain = 1'000'000'000'000'000'000;

  constexpr Probability() = default;
  /// @param steps  of 1e-18
  static constexpr Probability steps(std::int64_t n) { return Probability(n); }
  constexpr std::int64_t raw() const { return steps_; }
  constexpr double value() const { return static_cast<double>(steps_) / static_cast<double>(certain); }

  /// That one or the other of two independent things happens.
  friend constexpr Probability either(Probability a, Probability b) {
    const detail::Wide both = static_cast<detail::Wide>(a.steps_) * b.steps_ / certain;
    return Probability(a.steps_ + b.steps_ - static_cast<std::int64_t>(both));
  }
  /// That at least one of `n` happens: 1 - (1 - p)^n.
  constexpr Probability any_of(std::int64_t n) const {
    Probability sum, power = *this;
    for (; n > 0; n >>= 1, power = either(power, power))
      if ((n & 1) != 0) sum = either(sum, power);
    return sum;
  }
  /// Whether it happens, for 64 random bits.
  constexpr bool happens(std::uint64_t bits) const {
    return static_cast<std::int64_t>((static_cast<detail::Wide>(bits) * certain) >> 64) < steps_;
  }

 private:
  constexpr explicit Probability(std::int64_t n) : steps_(n) {}
  std::int64_t steps_ = 0;
};

}  // namespace gicsim
