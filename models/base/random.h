// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "models/units/time.h"

namespace gicsim {

namespace detail {

/// Philox4x32-10: a bijection of 128-bit counters, keyed by 64 bits.
/// Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                              std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

constexpr std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3;
  }
  return hash;
}

__extension__ using UnsignedWide = unsigned __int128;

/// a * b / 2^64.
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((static_cast<UnsignedWide>(a) * b) >> 64);
}

/// -ln(u / 2^64) in units of 2^-58, for u > 0; integers only, so equal on every machine.
/// With m = u scaled into [1, 2): ln m = 2 atanh((m - 1) / (m + 1)), summed until 2^-64.
constexpr std::uint64_t minus_log(std::uint64_t u) {
  constexpr std::uint64_t ln2 = 0xB17217F7D1CF79AB;  // in units of 2^-64
  const int zeros = std::countl_zero(u);
  const std::uint64_t m = u << zeros;  // m / 2^63 in [1, 2)
  const UnsignedWide below = m - (std::uint64_t{1} << 63);
  const UnsignedWide above = static_cast<UnsignedWide>(m) + (std::uint64_t{1} << 63);
  const auto s = static_cast<std::uint64_t>((below << 64) / above);
  const std::uint64_t square = multiply_high(s, s);
  std::uint64_t power = s, sum = 0;
  for (std::uint64_t n = 1; power != 0; n += 2) {
    sum += power / n;
    power = multiply_high(power, square);
  }
  const UnsignedWide total = static_cast<UnsignedWide>(ln2) * static_cast<unsigned>(zeros + 1) -
                             static_cast<UnsignedWide>(sum) * 2;
  return static_cast<std::uint64_t>(total >> 6);
}

}  // namespace detail

/// Random numbers of one module: the n-th depends on (seed, name, n) and on nothing else, so it
/// matters neither what else is simulated nor in which order. Bit-exact on every machine:
/// distributions are worked out in integers.
class RandomStream {
 public:
  constexpr RandomStream(std::uint64_t seed, std::string_view name)
      : seed_(seed), stream_(detail::fnv1a(name)) {}

  /// 64 random bits.
  constexpr std::uint64_t next() {
    if (drawn_ % 2 == 0) {
      const std::uint64_t block = drawn_ / 2;
      const auto out = detail::philox({low(block), high(block), low(stream_), high(stream_)},
                                      {low(seed_), high(seed_)});
      first_ = join(out[0], out[1]);
      second_ = join(out[2], out[3]);
    }
    return drawn_++ % 2 == 0 ? first_ : second_;
  }

  /// In [0, 1), a multiple of 2^-53.
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// In [0, n), all equally likely; n is positive. Source: Lemire, arXiv 1805.10941.
  constexpr std::uint64_t below(std::uint64_t n) {
    detail::UnsignedWide product = static_cast<detail::UnsignedWide>(next()) * n;
    if (static_cast<std::uint64_t>(product) < n) {
      const std::uint64_t reject = (0 - n) % n;
      while (static_cast<std::uint64_t>(product) < reject)
        product = static_cast<detail::UnsignedWide>(next()) * n;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  /// Times between arrivals of a Poisson process; at most 44.4 means.
  constexpr Picoseconds exponential(Picoseconds mean) {
    const std::uint64_t bits = next();
    const auto product =
        static_cast<detail::UnsignedWide>(mean.count()) * detail::minus_log(bits != 0 ? bits : 1);
    constexpr auto half = detail::UnsignedWide{1} << 57;
    return Picoseconds{static_cast<std::int64_t>((product + half) >> 58)};
  }

 private:
  static constexpr std::uint32_t low(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
  static constexpr std::uint32_t high(std::uint64_t v) {
    return static_cast<std::uint32_t>(v >> 32);
  }
  static constexpr std::uint64_t join(std::uint32_t low, std::uint32_t high) {
    return static_cast<std::uint64_t>(high) << 32 | low;
  }

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t drawn_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t second_ = 0;
};

}  // namespace gicsim
