// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/detail/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gicsim::report::detail {
namespace {

std::string without_trailing_zeros(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  while (number.back() == '0') number.pop_back();
  if (number.back() == '.') number.pop_back();
  return number;
}

/// The blank at which a line too long is broken, never between a number and its unit.
std::size_t last_break(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  for (std::size_t at = line.rfind(' ', page_width); at != std::string::npos && at > first; --at)
    if (line[at] == ' ' && (line[at - 1] < '0' || line[at - 1] > '9')) return at;
  return line.find(' ', page_width);  // a word longer than the page
}

}  // namespace

std::string time_text(Picoseconds time) {
  struct Unit {
    std::string_view name;
    double picoseconds;
  };
  const auto value = static_cast<double>(time.count());
  for (const Unit unit : {Unit{"s", 1e12}, Unit{"ms", 1e9}, Unit{"us", 1e6}, Unit{"ns", 1e3}})
    if (std::abs(value) >= 0.99995 * unit.picoseconds)  // what rounds to 1.000 of it
      return fmt::format("{} {}", without_trailing_zeros(four_digits(value / unit.picoseconds)),
                         unit.name);
  return fmt::format("{} ps", time.count());
}

std::string four_digits(double value) {
  const double size = std::abs(value);
  const int before = size < 1e-9 ? 1 : static_cast<int>(std::floor(std::log10(size * 1.00005))) + 1;
  return fmt::format("{:.{}f}", value, std::clamp(4 - before, 0, 6));
}

std::string figure_text(double value, std::string_view unit) {
  if (unit == "ns") return time_text(Picoseconds{std::llround(value * 1000)});
  return fmt::format("{} {}", without_trailing_zeros(four_digits(value)), unit);
}

std::string exact_ns(Picoseconds time) {
  const std::int64_t size = std::abs(time.count());
  return fmt::format("{}{}.{:03}", time.count() < 0 ? "-" : "", grouped(size / 1000), size % 1000);
}

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string words(Quantity quantity) {
  switch (quantity) {
    case Quantity::issue:
      return "issue";
    case Quantity::one_way:
      return "one way";
    case Quantity::put_completion:
      return "put+completion";
    case Quantity::rtt:
      return "round trip";
    case Quantity::bandwidth:
      return "bandwidth";
    case Quantity::message_rate:
      return "message rate";
    case Quantity::visible:
      return "visible";
    case Quantity::synced:
      return "synced";
    case Quantity::load_rate:
      return "load carried";
    case Quantity::latency:
      return "latency";
    case Quantity::bus_bandwidth:
      return "bus bandwidth";
    case Quantity::completion:
      return "completion";
    case Quantity::flush:
      return "flush";
  }
  return "";
}

std::string words(const Finished& run, Quantity quantity) {
  const auto sends = std::pair<std::string, std::string>{"operation", std::string(to_name(Verb::send))};
  if (quantity == Quantity::put_completion && std::find(run.keys.begin(), run.keys.end(), sends) != run.keys.end())
    return "send+completion";
  return words(quantity);
}

std::string percent(double fraction) { return fmt::format("{:.1f} %", fraction * 100); }

std::string bar(double fraction, int full) {
  const auto length = std::clamp(static_cast<int>(std::lround(fraction * full)), 0, full);
  return std::string(static_cast<std::size_t>(fraction > 0 ? std::max(length, 1) : 0), '#');
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out, line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  while (line.size() > page_width) {
    const std::size_t blank = last_break(line);
    if (blank == std::string::npos) break;
    out += line.substr(0, blank) + "\n";
    line = std::string(indent, ' ') + line.substr(blank + 1);
  }
  return out + line + "\n";
}

std::string heading(std::string_view text) { return fmt::format("\n{}\n", text); }

}  // namespace gicsim::report::detail
