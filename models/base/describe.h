// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "models/base/source.h"
#include "models/units/bit_rate.h"
#include "models/units/probability.h"

/// `describe(v, params)` is the single truth about a parameter block: it calls
/// `v(name, member, sentence, source, bounds)` once a member, in order of declaration
/// (`bounds` may be left out). The same lines read a part file, give the bounds, print
/// `params`, write the reference.
///
/// Members are Picoseconds, Bytes, BitRate, LaneRate, Frequency, Cycles, Count, Probability, bool or an enum.
/// An enum has a table beside it, found by argument-dependent lookup:
/// `constexpr auto names_of(Mode) { return std::array{"a"sv, "b"sv}; }`, in order of value.
namespace gicsim {

/// What a value may be; nothing given, nothing asked.
template <class T>
struct Bounds {
  std::optional<T> low, high;  ///< both inclusive
  bool power_of_two = false;
};

namespace detail {
template <class T>
struct Stored { using type = T; };
template <class R, class P>
struct Stored<std::chrono::duration<R, P>> { using type = Picoseconds; };
template <class T>
  requires std::is_integral_v<T>
struct Stored<T> { using type = Count; };
}  // namespace detail

/// low <= value <= high. Chrono literals are taken as picoseconds, integers as counts.
template <class T, class U>
constexpr auto within(T low, U high) {
  using S = typename detail::Stored<T>::type;
  return Bounds<S>{S(low), S(high), false};
}
template <class T>
constexpr auto at_least(T low) {
  using S = typename detail::Stored<T>::type;
  return Bounds<S>{S(low), std::nullopt, false};
}
/// A power of two in [low, high].
template <class T, class U>
constexpr auto powers_of_two(T low, U high) {
  auto bounds = within(low, high);
  bounds.power_of_two = true;
  return bounds;
}

namespace detail {
struct AnyField {
  template <class T> constexpr operator T() const;  // never defined: only counted
};
template <class T, std::size_t... I>
constexpr bool brace_takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), AnyField{})...}; };
}
template <class T, std::size_t N = 0>
constexpr std::size_t count_fields() {
  if constexpr (brace_takes<T>(std::make_index_sequence<N + 1>{})) return count_fields<T, N + 1>();
  else return N;
}
struct Counter {
  std::size_t calls = 0;
  template <class... A> constexpr void operator()(A&&...) { ++calls; }
};
}  // namespace detail

/// Every member of T is described: for a static_assert beside describe().
template <class T>
constexpr bool fully_described() {
  T params{};
  detail::Counter counter;
  describe(counter, params);
  return counter.calls == detail::count_fields<T>();
}

}  // namespace gicsim
