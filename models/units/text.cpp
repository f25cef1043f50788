// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/units/text.h"

#include <array>
#include <cstdint>
#include <limits>

namespace gicsim::text {
namespace {

using detail::Wide;

struct Unit {
  std::string_view name;
  std::int64_t scale;  ///< in the quantity's own unit
};

template <class Quantity>
struct Units;

template <>
struct Units<Picoseconds> {
  static constexpr std::array<Unit, 5> table{{{"s", 1'000'000'000'000},
                                              {"ms", 1'000'000'000},
                                              {"us", 1'000'000},
                                              {"ns", 1'000},
                                              {"ps", 1}}};
  static constexpr std::string_view example = "15 ns";
  static Picoseconds make(std::int64_t n) { return Picoseconds{n}; }
};
template <>
struct Units<Bytes> {
  static constexpr std::array<Unit, 4> table{
      {{"GiB", 1LL << 30}, {"MiB", 1LL << 20}, {"KiB", 1LL << 10}, {"B", 1}}};
  static constexpr std::string_view example = "64 KiB";
  static Bytes make(std::int64_t n) { return Bytes(n); }
};
template <>
struct Units<BitRate> {
  static constexpr std::array<Unit, 5> table{{{"Tbps", 1'000'000'000'000},
                                              {"Gbps", 1'000'000'000},
                                              {"Mbps", 1'000'000},
                                              {"kbps", 1'000},
                                              {"bps", 1}}};
  static constexpr std::string_view example = "400 Gbps";
  static BitRate make(std::int64_t n) { return BitRate::bits_per_second(n); }
};
template <>
struct Units<LaneRate> {
  static constexpr std::array<Unit, 2> table{{{"GT/s", 1'000}, {"MT/s", 1}}};
  static constexpr std::string_view example = "32 GT/s";
  static LaneRate make(std::int64_t n) { return LaneRate::megatransfers(n); }
};
template <>
struct Units<Frequency> {
  static constexpr std::array<Unit, 4> table{
      {{"GHz", 1'000'000'000}, {"MHz", 1'000'000}, {"kHz", 1'000}, {"Hz", 1}}};
  static constexpr std::string_view example = "1980 MHz";
  static Frequency make(std::int64_t n) { return Frequency::hertz(n); }
};
template <>
struct Units<Cycles> {
  static constexpr std::array<Unit, 1> table{{{"cycles", 1}}};
  static constexpr std::string_view example = "375 cycles";
  static Cycles make(std::int64_t n) { return Cycles(n); }
};

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// A decimal number as digits * 10^-places; nothing when it isn't one or is too long.
struct Decimal {
  std::int64_t digits = 0;
  int places = 0;
};

std::optional<Decimal> take_decimal(std::string_view& text) {
  Decimal number;
  bool negative = false, point = false, any = false;
  std::size_t at = 0;
  if (at < text.size() && text[at] == '-') negative = true, ++at;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point) {
      point = true;
    } else if (c == '_' && any) {
      continue;
    } else if (c >= '0' && c <= '9') {
      any = true;
      if (number.digits > (std::numeric_limits<std::int64_t>::max() - 9) / 10) return std::nullopt;
      number.digits = number.digits * 10 + (c - '0');
      if (point) ++number.places;
    } else {
      break;
    }
  }
  if (!any || number.places > 18) return std::nullopt;
  if (negative) number.digits = -number.digits;
  text.remove_prefix(at);
  return number;
}

template <class Quantity>
std::string unit_names() {
  std::string names;
  for (const Unit& unit : Units<Quantity>::table) {
    if (!names.empty()) names += ", ";
    names += unit.name;
  }
  return names;
}

template <class Quantity>
Read<Quantity> read_with_unit(std::string_view given) {
  using U = Units<Quantity>;
  std::string_view rest = trimmed(given);
  const std::optional<Decimal> number = take_decimal(rest);
  if (!number)
    return {std::nullopt, quoted(given) + " is not a number with a unit; write it like '" +
                              std::string(U::example) + "'"};
  const std::string digits(given.substr(0, given.size() - rest.size()));
  rest = trimmed(rest);
  if (rest.empty()) {
    const std::string bare(trimmed(digits));
    std::string hint = "'" + bare + " " + std::string(U::example.substr(U::example.find(' ') + 1)) + "'";
    const std::string smallest = "'" + bare + " " + std::string(U::table.back().name) + "'";
    if (smallest != hint) hint += " or " + smallest;
    return {std::nullopt, quoted(given) + " has no unit; write " + hint};
  }
  for (const Unit& unit : U::table) {
    if (unit.name != rest) continue;
    Wide scaled = static_cast<Wide>(number->digits) * unit.scale;
    for (int i = 0; i < number->places; ++i) {
      if (scaled % 10 != 0)
        return {std::nullopt, quoted(given) + " is not a whole number of " +
                                  std::string(U::table.back().name)};
      scaled /= 10;
    }
    if (scaled > std::numeric_limits<std::int64_t>::max() ||
        scaled < std::numeric_limits<std::int64_t>::min())
      return {std::nullopt, quoted(given) + " is too large"};
    return {U::make(static_cast<std::int64_t>(scaled)), {}};
  }
  return {std::nullopt, quoted(given) + " has an unknown unit '" + std::string(rest) +
                            "'; the units are " + unit_names<Quantity>()};
}

/// Largest unit in which the value has at most three decimals, all of them exact.
template <class Quantity>
std::string write_with_unit(std::int64_t value) {
  for (const Unit& unit : Units<Quantity>::table) {
    const std::int64_t magnitude = value < 0 ? -value : value;
    if (magnitude < unit.scale && unit.scale != 1) continue;
    if (static_cast<Wide>(magnitude) * 1000 % unit.scale != 0) continue;
    const auto thousandths = static_cast<std::int64_t>(static_cast<Wide>(magnitude) * 1000 / unit.scale);
    std::string number = std::to_string(thousandths / 1000);
    if (std::int64_t fraction = thousandths % 1000; fraction != 0) {
      std::string decimals = std::to_string(1000 + fraction).substr(1);
      while (decimals.back() == '0') decimals.pop_back();
      number += "." + decimals;
    }
    return (value < 0 ? "-" : "") + number + " " + std::string(unit.name);
  }
  return std::to_string(value) + " " + std::string(Units<Quantity>::table.back().name);
}

}  // namespace

template <> Read<Picoseconds> read<Picoseconds>(std::string_view t) { return read_with_unit<Picoseconds>(t); }
template <> Read<Bytes> read<Bytes>(std::string_view t) { return read_with_unit<Bytes>(t); }
template <> Read<BitRate> read<BitRate>(std::string_view t) { return read_with_unit<BitRate>(t); }
template <> Read<LaneRate> read<LaneRate>(std::string_view t) { return read_with_unit<LaneRate>(t); }
template <> Read<Frequency> read<Frequency>(std::string_view t) { return read_with_unit<Frequency>(t); }
template <> Read<Cycles> read<Cycles>(std::string_view t) { return read_with_unit<Cycles>(t); }

template <>
Read<Count> read<Count>(std::string_view given) {
  std::string_view rest = trimmed(given);
  const std::optional<Decimal> number = take_decimal(rest);
  if (!number || number->places > 0 || !trimmed(rest).empty())
    return {std::nullopt, quoted(given) + " is not a count; write a whole number without a unit"};
  return {number->digits, {}};
}

template <>
Read<Probability> read<Probability>(std::string_view given) {
  std::string_view rest = trimmed(given);
  const std::optional<Decimal> number = take_decimal(rest);
  int exponent = 0;
  if (number && !rest.empty() && (rest.front() == 'e' || rest.front() == 'E')) {
    rest.remove_prefix(1);
    if (const auto power = take_decimal(rest);
        power && power->places == 0 && power->digits >= -99 && power->digits <= 99)
      exponent = static_cast<int>(power->digits);
    else
      rest = "e";
  }
  rest = trimmed(rest);
  if (rest == "%") exponent -= 2, rest = {};
  if (!number || !rest.empty())
    return {std::nullopt, quoted(given) + " is not a probability; write it like '0.001', '1e-4' or '0.1 %'"};
  Wide steps = number->digits;
  for (int power = 18 - number->places + exponent; power != 0; power += power > 0 ? -1 : 1) {
    if (power < 0 && steps % 10 != 0) return {std::nullopt, quoted(given) + " is not a whole number of 1e-18"};
    steps = power > 0 ? steps * 10 : steps / 10;
    if (steps > Probability::certain) break;
  }
  if (steps < 0 || steps > Probability::certain)
    return {std::nullopt, quoted(given) + " is not a probability; write 0 to 1, or 0 % to 100 %"};
  return {Probability::steps(static_cast<std::int64_t>(steps)), {}};
}

std::string write(Probability v) {
  std::string digits = std::to_string(v.raw());
  if (v.raw() == 0) return "0";
  const int exponent = static_cast<int>(digits.size()) - 19;  // of the first digit
  while (digits.back() == '0') digits.pop_back();
  if (exponent == 0) return digits;
  if (exponent >= -3) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const std::string fraction = digits.size() > 1 ? "." + digits.substr(1) : "";
  return digits.substr(0, 1) + fraction + "e" + std::to_string(exponent);
}

std::string write(Picoseconds v) { return v.count() == 0 ? "0 ns" : write_with_unit<Picoseconds>(v.count()); }
std::string write(Bytes v) { return write_with_unit<Bytes>(v.count()); }
std::string write(BitRate v) { return write_with_unit<BitRate>(v.bits_per_second()); }
std::string write(LaneRate v) { return write_with_unit<LaneRate>(v.megatransfers()); }
std::string write(Frequency v) { return write_with_unit<Frequency>(v.hertz()); }
std::string write(Cycles v) { return write_with_unit<Cycles>(v.count()); }
std::string write(Count v) { return std::to_string(v); }

}  // namespace gicsim::text
