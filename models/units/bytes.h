// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/units/time.h"

namespace gicsim {

/// A length in bytes. Binary multiples only (KiB, MiB, GiB); rates are decimal.
class Bytes : public Ordered<Bytes> {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::int64_t n) : count_(n) {}
  constexpr std::int64_t count() const { return count_; }
  constexpr std::int64_t raw() const { return count_; }

  constexpr Bytes& operator+=(Bytes b) { count_ += b.count_; return *this; }
  constexpr Bytes& operator-=(Bytes b) { count_ -= b.count_; return *this; }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes(a.count_ + b.count_); }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return Bytes(a.count_ - b.count_); }
  friend constexpr Bytes operator*(Bytes a, std::int64_t n) { return Bytes(a.count_ * n); }
  friend constexpr Bytes operator*(std::int64_t n, Bytes a) { return a * n; }
  friend constexpr Bytes operator%(Bytes a, Bytes b) { return Bytes(a.count_ % b.count_); }
  friend constexpr std::int64_t operator/(Bytes a, Bytes b) { return a.count_ / b.count_; }

 private:
  std::int64_t count_ = 0;
};

/// How many pieces of `piece` cover `total`.
constexpr std::int64_t pieces(Bytes total, Bytes piece) {
  return (total.count() + piece.count() - 1) / piece.count();
}

inline namespace literals {
constexpr Bytes operator""_B(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n)); }
constexpr Bytes operator""_KiB(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n) << 10); }
constexpr Bytes operator""_MiB(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n) << 20); }
constexpr Bytes operator""_GiB(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n) << 30); }
}  // namespace literals

}  // namespace gicsim
