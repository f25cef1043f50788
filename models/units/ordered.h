// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gicsim {

/// The six comparisons of a quantity, from its `raw()`. C++17: no operator<=>.
template <class Quantity>
struct Ordered {
  friend constexpr bool operator==(const Quantity& a, const Quantity& b) { return a.raw() == b.raw(); }
  friend constexpr bool operator!=(const Quantity& a, const Quantity& b) { return a.raw() != b.raw(); }
  friend constexpr bool operator<(const Quantity& a, const Quantity& b) { return a.raw() < b.raw(); }
  friend constexpr bool operator>(const Quantity& a, const Quantity& b) { return b.raw() < a.raw(); }
  friend constexpr bool operator<=(const Quantity& a, const Quantity& b) { return !(b < a); }
  friend constexpr bool operator>=(const Quantity& a, const Quantity& b) { return !(a < b); }
};

}  // namespace gicsim
