// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/layout.h"
#include "traces/import/detail/nccl_run.h"

namespace gicsim::imports::detail {
namespace {

constexpr std::string_view half_titles = "  {:>7}  {:>6}  {:>6}  {:>6}";
constexpr std::string_view spread_titles = "  {:>7}  {:>7}  {:>7}  {:>7}";

bool is_in_place(const Record& record) { return text_at(record, "placement") == "in_place"; }
bool has_spread(const Record& record) { return record.min || record.max; }

std::optional<Place> place(const Record& record) {
  const bool known = record.quantity == Quantity::latency || record.quantity == Quantity::bandwidth ||
                     record.quantity == Quantity::bus_bandwidth;
  const std::string bytes = text_at(record, "bytes");
  if (!known || nccl_name(record.pattern).empty() || bytes.empty()) return std::nullopt;
  std::string row = "\nplacement=";
  for (const char* key : {"bytes", "type", "redop", "root"}) row += fmt::format("\n{}={}", key, text_at(record, key));
  return Place{std::string(nccl_name(record.pattern)), row,
               fmt::format("{} {}", to_name(record.quantity), is_in_place(record))};
}

/// As nccl-tests print: as many decimals as fit, two at most.
std::string fitted(double value, int width) {
  for (const int decimals : {2, 1, 0})
    if (const std::string text = fmt::format("{:.{}f}", value, decimals); std::ssize(text) <= width || decimals == 0)
      return text;
  return {};
}

std::string half(const Line& line, bool in_place, bool spread) {
  const auto figure = [&](Quantity quantity) { return line.find(fmt::format("{} {}", to_name(quantity), in_place)); };
  const auto text = [&](Quantity quantity, double unit, int width) {
    const Record* record = figure(quantity);
    return record == nullptr ? "N/A" : fitted(record->value / unit, width);
  };
  std::string all = fmt::format(half_titles, text(Quantity::latency, 1000, 7), text(Quantity::bandwidth, 1, 6),
                                text(Quantity::bus_bandwidth, 1, 6), "N/A");
  if (!spread) return all;
  const Record* time = figure(Quantity::latency);
  const auto of = [&](const std::optional<double> Record::*field) {
    return time == nullptr || !(time->*field) ? "N/A" : fitted(*(time->*field) / 1000, 7);
  };
  return all + fmt::format(spread_titles, of(&Record::min), of(&Record::max), of(&Record::p99), "N/A");
}

std::string above(const Sheet& sheet) {
  const Record& record = sheet.any();
  std::string text;
  if (const std::string_view version = word_after(record.source, "nccl-tests"); whole(version.substr(0, 1)))
    text += fmt::format("# nccl-tests version {}\n", version);
  text += fmt::format("# Collective test starting: {}_perf\n", nccl_name(record.pattern));
  text += fmt::format("# nThread 1 nGpus 1 warmup iters: 0 iters: {}\n#\n", record.n);
  if (const auto ranks = number_at(record, "ranks")) {
    text += "# Using devices\n";
    for (std::int64_t i = 0; i < std::min<std::int64_t>(*ranks, 1 << 16); ++i)
      text += fmt::format("#  Rank {:>2}\n", i);
  }
  return text + "#\n";
}

std::string header(bool spread) {
  std::string first, second;
  for (int i = 0; i < 2; ++i) {
    first += fmt::format(half_titles, "time", "algbw", "busbw", "#wrong");
    second += fmt::format(half_titles, "(us)", "(GB/s)", "(GB/s)", "");
    if (spread) first += fmt::format(spread_titles, "i_min", "i_max", "i_p99", "i_cv%");
    if (spread) second += fmt::format(spread_titles, "(us)", "(us)", "(us)", "(%)");
  }
  constexpr std::string_view left = "# {:>10}  {:>12}  {:>8}  {:>6}  {:>6}";
  const int width = spread ? 65 : 31;
  return fmt::format(left, "", "", "", "", "") +
         fmt::format("  {:^{}}  {:^{}}\n", "out-of-place", width, "in-place", width) +
         fmt::format(left, "size", "count", "type", "redop", "root") + first + "\n" +
         fmt::format(left, "(B)", "(elements)", "", "", "") + second + "\n";
}

}  // namespace

Table nccl_tests_table(const std::vector<Record>& records) {
  Sorter sorter(records, {"bytes", "ranks", "type", "redop", "root", "placement", "memory"}, place);
  Table table;
  for (const Sheet& sheet : sorter.sheets()) {
    bool spread = false;
    for (const Line& line : sheet.lines)
      for (const auto& [name, record] : line.figures) spread = spread || has_spread(*record);
    table.text += above(sheet) + header(spread);
    for (const Line& line : sheet.lines) {
      const auto or_else = [&](const char* key, const char* other) {
        const std::string text = text_at(line.any(), key);
        return text.empty() ? std::string(other) : text;
      };
      const std::string type = or_else("type", "int8");
      const int size = nccl_type_size(type);
      const std::int64_t bytes = number_at(line.any(), "bytes").value_or(0);
      table.text += fmt::format("{:>12}  {:>12}  {:>8}  {:>6}  {:>6}", bytes, size == 0 ? bytes : bytes / size, type,
                                or_else("redop", "none"), or_else("root", "-1"));
      table.text += half(line, false, spread) + half(line, true, spread) + "\n";
    }
    table.text += fmt::format("#\n# Collective test concluded: {}_perf\n", nccl_name(sheet.any().pattern));
  }
  table.left = sorter.take_left();
  return table;
}

}  // namespace gicsim::imports::detail
