// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/units/bytes.h"

namespace gicsim {

/// A data rate in bits per second, decimal multiples (Gbps). Never "picoseconds per byte":
/// at PCIe 5.0 x16 that is 15.87, and stored as 15 it makes the link 5.8 % too fast.
class BitRate : public Ordered<BitRate> {
 public:
  constexpr BitRate() = default;
  static constexpr BitRate bits_per_second(std::int64_t n) { return BitRate(n); }
  constexpr std::int64_t bits_per_second() const { return bits_per_second_; }
  constexpr std::int64_t raw() const { return bits_per_second_; }
  friend constexpr BitRate operator*(BitRate a, std::int64_t n) { return BitRate(a.bits_per_second_ * n); }

 private:
  constexpr explicit BitRate(std::int64_t n) : bits_per_second_(n) {}
  std::int64_t bits_per_second_ = 0;
};

/// Time on the wire, through 128 bits, rounded up once.
/// A link that sends a stream keeps the remainder instead: mechanisms/serialiser.h.
constexpr Picoseconds operator/(Bytes bytes, BitRate rate) {
  return Picoseconds{detail::multiply_divide_up(bytes.count() * 8, detail::picoseconds_per_second,
                                                rate.bits_per_second())};
}

/// Symbols of one lane: 32 GT/s is 32,000 megatransfers. PCIe generations 1 to 5.
class LaneRate : public Ordered<LaneRate> {
 public:
  constexpr LaneRate() = default;
  static constexpr LaneRate megatransfers(std::int64_t n) { return LaneRate(n); }
  constexpr std::int64_t megatransfers() const { return megatransfers_; }
  constexpr std::int64_t raw() const { return megatransfers_; }

 private:
  constexpr explicit LaneRate(std::int64_t n) : megatransfers_(n) {}
  std::int64_t megatransfers_ = 0;
};

/// Line code as payload bits over line bits.
struct Encoding {
  std::int64_t payload = 128;
  std::int64_t line = 130;
};

/// The one place where GT/s, lanes and encoding turn into a bit rate.
constexpr BitRate bit_rate(LaneRate lane, std::int64_t lanes, Encoding encoding) {
  return BitRate::bits_per_second(lane.megatransfers() * 1'000'000 * lanes * encoding.payload /
                                  encoding.line);
}

inline namespace literals {
constexpr BitRate operator""_Gbps(unsigned long long n) {
  return BitRate::bits_per_second(static_cast<std::int64_t>(n) * 1'000'000'000);
}
constexpr BitRate operator""_Mbps(unsigned long long n) {
  return BitRate::bits_per_second(static_cast<std::int64_t>(n) * 1'000'000);
}
constexpr LaneRate operator""_GTps(unsigned long long n) {
  return LaneRate::megatransfers(static_cast<std::int64_t>(n) * 1'000);
}
}  // namespace literals

}  // namespace gicsim
