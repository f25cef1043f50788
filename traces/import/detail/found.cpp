// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/found.h"

#include <fmt/format.h>

#include <algorithm>

namespace gicsim::imports::detail {
namespace {

constexpr std::size_t most_mistakes = 20;
constexpr double largest = 1e15;  // 31 years in us, an EB/s in GB/s

}  // namespace

void Found::record(Record record) {
  record.system = said_.system;
  if (said_.path) record.path = *said_.path;
  hand_on(std::move(record));
}

void Found::hand_on(Record record) {
  ++imported_.records;
  sink_(std::move(record));
}

void Found::leave(int line, std::string_view why, std::int64_t count) {
  for (Left& left : imported_.left)
    if (left.why == why) {
      left.count += count;
      return;
    }
  imported_.left.push_back({std::string(why), line, count});
}

void Found::mistake(int line, int column, std::string what) {
  mistakes_.push_back({{file_, line, column}, std::move(what)});
  if (mistakes_.size() == most_mistakes) throw ConfigError(mistakes_);
}

std::optional<double> Found::figure(int line, const Cell& cell, std::string_view of) {
  if (is_unknown(cell.text)) {
    leave(line, fmt::format("{} not known ('{}')", of, cell.text));
    return std::nullopt;
  }
  const auto number = decimal(cell.text);
  if (number && *number >= 0 && *number <= largest) return number;
  mistake(line, cell.column,
          fmt::format("{}: '{}' {}", of, cell.text,
                      !number       ? "is no number; write what the tool printed"
                      : *number < 0 ? "is less than nothing; the tool's clock failed, leave this row out"
                                    : "is larger than any measurement"));
  return std::nullopt;
}

std::optional<std::int64_t> Found::count(int line, const Cell& cell, std::string_view of) {
  const auto number = whole(cell.text);
  if (!number)
    mistake(line, cell.column, fmt::format("{}: '{}' is no whole number; write what the tool printed", of, cell.text));
  return number;
}

Imported Found::finish(std::string_view format) {
  if (mistakes_.empty() && imported_.records == 0) {
    std::string what = fmt::format("no result in it that can be used ({}); give the tool's whole output", format);
    for (const Left& left : imported_.left) what += fmt::format("; {} x {}", left.count, left.why);
    mistakes_.push_back({{file_, 0, 0}, what});
  }
  if (!mistakes_.empty()) throw ConfigError(mistakes_);
  imported_.format = format;
  return std::move(imported_);
}

Record measured(Pattern pattern, Path path, Quantity quantity, double value, std::string source) {
  Record record;
  record.origin = Origin::measured;
  record.pattern = pattern;
  record.path = path;
  record.quantity = quantity;
  record.value = value;
  record.source = std::move(source);
  return record;
}

void put(Record& record, std::string_view key, std::int64_t value) { record.where.emplace_back(key, value); }
void put(Record& record, std::string_view key, std::string_view value) {
  record.where.emplace_back(key, std::string(value));
}

}  // namespace gicsim::imports::detail
