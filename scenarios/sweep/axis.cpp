// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/sweep/axis.h"

#include <algorithm>

#include "models/base/errors.h"
#include "models/units/text.h"

namespace gicsim::sweep {
namespace {

constexpr std::size_t most_values = 10'000;

std::int64_t raw(Count n) { return n; }
std::int64_t raw(Picoseconds t) { return t.count(); }
template <class Quantity>
std::int64_t raw(const Quantity& quantity) {
  return quantity.raw();
}

/// @param make  the quantity of a value in its own unit
template <class Quantity, class Make>
bool read_as(schema::Type type, std::string_view text, Make, std::optional<Amount>& found) {
  const auto read = text::read<Quantity>(text);
  if (read.value) found = Amount{type, raw(*read.value), [](std::int64_t n) { return text::write(Make{}(n)); }};
  return found.has_value();
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

class Reader {
 public:
  explicit Reader(const std::string& argument) : argument_(argument) {}

  Axis read() const {
    const std::size_t equals = argument_.find('=');
    if (equals == argument_.npos || equals == 0) wrong("write it like --vary bytes='8 B..1 MiB:*2' or threads=1,16");
    const std::string values = argument_.substr(equals + 1);
    const std::size_t dots = values.find(".."), colon = values.rfind(':');
    Axis axis{argument_.substr(0, equals), {}};
    if (dots != values.npos && colon != values.npos && colon > dots)
      axis.values = range(trimmed(values.substr(0, dots)), trimmed(values.substr(dots + 2, colon - dots - 2)),
                          trimmed(values.substr(colon + 1)));
    else if (dots != values.npos && amount(trimmed(values.substr(0, dots))))
      wrong("a range needs its factor or step; write it like 8 B..1 MiB:*2 or 1..9:+2");
    else
      axis.values = list(values);
    return axis;
  }

 private:
  [[noreturn]] void wrong(const std::string& what) const { throw ConfigError({"--vary " + argument_, 0, 0}, what); }

  std::vector<std::string> list(const std::string& text) const {
    std::vector<std::string> values;
    for (std::size_t start = 0;;) {
      const std::size_t comma = text.find(',', start);
      std::string value = trimmed(std::string_view(text).substr(start, comma - start));
      if (value.empty()) wrong("holds an empty value; write it like threads=1,16,256");
      if (const auto known = amount(value)) value = known->write(known->value);
      if (std::find(values.begin(), values.end(), value) != values.end()) wrong("'" + value + "' is given twice");
      values.push_back(std::move(value));
      if (comma == text.npos) return values;
      start = comma + 1;
    }
  }

  std::vector<std::string> range(const std::string& low, const std::string& high, const std::string& by) const {
    const auto first = amount(low), last = amount(high);
    if (!first) wrong("'" + low + "' is no number with its unit");
    if (!last) wrong("'" + high + "' is no number with its unit");
    if (first->type != last->type) wrong("'" + low + "' and '" + high + "' are different quantities");
    if (last->value < first->value) wrong("'" + high + "' is less than '" + low + "'");
    const bool factor = by.starts_with('*');
    const auto step = factor || by.starts_with('+') ? amount(trimmed(by.substr(1))) : std::nullopt;
    if (!step) wrong("'" + by + "' is neither factor nor step; write '*2' or '+" + low + "'");
    if (factor && (step->type != schema::Type::count || step->value < 2 || first->value < 1))
      wrong("a factor is a whole number from 2 on, and a range by factor begins above 0");
    if (!factor && step->type != first->type) wrong("'" + low + "' and the step '" + by + "' are different quantities");
    if (!factor && step->value < 1) wrong("the step '" + by + "' leads nowhere");
    std::vector<std::string> values;
    for (std::int64_t value = first->value;;) {
      values.push_back(first->write(value));
      if (values.size() > most_values) wrong("gives more than " + std::to_string(most_values) + " values");
      if (factor ? value > last->value / step->value : value > last->value - step->value) return values;
      value = factor ? value * step->value : value + step->value;
    }
  }

  const std::string& argument_;
};

}  // namespace

std::optional<Amount> amount(std::string_view text) {
  using schema::Type;
  std::optional<Amount> found;
  read_as<Count>(Type::count, text, [](std::int64_t n) { return Count{n}; }, found) ||
      read_as<Bytes>(Type::size, text, [](std::int64_t n) { return Bytes(n); }, found) ||
      read_as<Picoseconds>(Type::time, text, [](std::int64_t n) { return Picoseconds{n}; }, found) ||
      read_as<BitRate>(Type::rate, text, [](std::int64_t n) { return BitRate::bits_per_second(n); }, found) ||
      read_as<Frequency>(Type::frequency, text, [](std::int64_t n) { return Frequency::hertz(n); }, found) ||
      read_as<Cycles>(Type::cycles, text, [](std::int64_t n) { return Cycles{n}; }, found);
  return found;
}

Axis axis_from(const std::string& argument) { return Reader(argument).read(); }

}  // namespace gicsim::sweep
