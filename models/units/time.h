// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <ratio>

#include "models/units/ordered.h"

namespace gicsim {

/// Simulated time and durations: integer picoseconds, 106 days in 63 bits.
/// `15ns` converts for free; half a picosecond does not compile.
using Picoseconds = std::chrono::duration<std::int64_t, std::pico>;

using Count = std::int64_t;

/// A clock: integer hertz.
class Frequency : public Ordered<Frequency> {
 public:
  constexpr Frequency() = default;
  static constexpr Frequency hertz(std::int64_t n) { return Frequency(n); }
  constexpr std::int64_t hertz() const { return hertz_; }
  constexpr std::int64_t raw() const { return hertz_; }

 private:
  constexpr explicit Frequency(std::int64_t n) : hertz_(n) {}
  std::int64_t hertz_ = 0;
};

/// A cost in ticks of a named clock; becomes time only when divided by that clock.
class Cycles : public Ordered<Cycles> {
 public:
  constexpr Cycles() = default;
  constexpr explicit Cycles(std::int64_t n) : count_(n) {}
  constexpr std::int64_t count() const { return count_; }
  constexpr std::int64_t raw() const { return count_; }
  friend constexpr Cycles operator+(Cycles a, Cycles b) { return Cycles(a.count_ + b.count_); }
  friend constexpr Cycles operator*(Cycles a, std::int64_t n) { return Cycles(a.count_ * n); }
  friend constexpr Cycles operator*(std::int64_t n, Cycles a) { return a * n; }

 private:
  std::int64_t count_ = 0;
};

namespace detail {

__extension__ using Wide = __int128;  ///< products of two 64-bit quantities

/// ceil(a * b / c) for non-negative a, b and positive c.
constexpr std::int64_t multiply_divide_up(std::int64_t a, std::int64_t b, std::int64_t c) {
  return static_cast<std::int64_t>((static_cast<Wide>(a) * b + c - 1) / c);
}

inline constexpr std::int64_t picoseconds_per_second = 1'000'000'000'000;

}  // namespace detail

/// Rounded up once, to a whole picosecond.
constexpr Picoseconds operator/(Cycles cycles, Frequency clock) {
  return Picoseconds{detail::multiply_divide_up(cycles.count(), detail::picoseconds_per_second,
                                                clock.hertz())};
}

inline namespace literals {
using namespace std::chrono_literals;
constexpr Picoseconds operator""_ps(unsigned long long n) {
  return Picoseconds{static_cast<std::int64_t>(n)};
}
constexpr Cycles operator""_cycles(unsigned long long n) {
  return Cycles{static_cast<std::int64_t>(n)};
}
constexpr Frequency operator""_MHz(unsigned long long n) {
  return Frequency::hertz(static_cast<std::int64_t>(n) * 1'000'000);
}
constexpr Frequency operator""_GHz(unsigned long long n) {
  return Frequency::hertz(static_cast<std::int64_t>(n) * 1'000'000'000);
}
}  // namespace literals

}  // namespace gicsim
