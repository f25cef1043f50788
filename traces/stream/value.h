// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/time.h"

namespace gicsim::stream {

/// A JSON value. Numbers stay as they are written: a stamp in microseconds since 1970, with its fraction, doesn't fit a
/// double.
struct Value {
  enum class Kind : std::uint8_t { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  std::string text;           ///< of a boolean, a number, a text
  std::string name;           ///< of an object's member
  std::vector<Value> values;  ///< of a list, an object

  /// The member of that name; null: there is none, or this is no object
  const Value* find(std::string_view member) const;
  /// A whole number, also one that is written as a text, or with a fraction of zeros.
  std::optional<std::int64_t> integer() const;
  std::optional<bool> boolean() const;
  /// Its text, without the quotes that some writers put inside of the quotes; empty: it has none
  std::string_view word() const;
  /// A time in units of `unit`, exact to the picosecond; none: no number, or out of range
  std::optional<Picoseconds> time(Picoseconds unit) const;
};

/// Of a member, where it is there.
std::optional<std::int64_t> integer_of(const Value& of, std::string_view member);
std::string_view word_of(const Value& of, std::string_view member);
std::optional<Picoseconds> time_of(const Value& of, std::string_view member, Picoseconds unit);

/// A decimal number times `unit`, rounded to the nearest picosecond.
std::optional<Picoseconds> parse_time(std::string_view decimal, Picoseconds unit);

/// @param file, at  where the text stands
/// @throws ConfigError, with the octet
Value parse_value(std::string_view text, const std::string& file, std::uint64_t at);

}  // namespace gicsim::stream
