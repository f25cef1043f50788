// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/layout.h"
#include "traces/import/detail/perftest_run.h"

namespace gicsim::imports::detail {
namespace {

constexpr std::string_view rule =
    "---------------------------------------------------------------------------------------\n";

bool is_stream(const Record& record) {
  return record.quantity == Quantity::bandwidth || record.quantity == Quantity::message_rate;
}

const PerftestTest* test_of(const Record& record) {
  for (const PerftestTest& test : perftest_tests()) {
    if (is_stream(record)) {
      const std::string verb = text_at(record, "verb");
      const bool write = test.verb == "put" && verb.empty();
      const bool stream = record.pattern == test.stream_pattern ||
                          (record.pattern == Pattern::message_rate && test.stream_pattern == Pattern::put_bw);
      if (stream && (verb == test.verb || write)) return &test;
      continue;
    }
    const std::string atomic = text_at(record, "atomic");
    const bool halved = record.pattern == Pattern::ping_pong && record.quantity == Quantity::rtt;
    if (record.pattern == test.latency_pattern && (record.quantity == test.latency_quantity || halved) &&
        (atomic == test.atomic || (atomic.empty() && test.atomic == "fetch_add")))
      return &test;
  }
  return nullptr;
}

std::string_view unit_of_bandwidth(const Record& record) {
  for (const std::string_view unit : {"Gb/sec", "MB/sec"})
    if (has(record.source, unit)) return unit;
  return "MiB/sec";
}

bool has_quantiles(const Record& record) { return record.p50 || record.p99 || record.min || record.max; }

std::optional<Place> place(const Record& record) {
  const PerftestTest* test = test_of(record);
  const std::string bytes = text_at(record, "bytes");
  if (test == nullptr || bytes.empty()) return std::nullopt;
  const char* kind = is_stream(record) ? "BW" : has_quantiles(record) ? "latency" : "mean latency";
  return Place{fmt::format("{} {}", test->title, kind), "\nbytes=" + bytes, std::string(to_name(record.quantity))};
}

std::string above(const Record& record, const PerftestTest& test) {
  std::string text;
  if (text_at(record, "memory") == "gpu") text += "allocated GPU buffer\n";
  text += rule;
  text += fmt::format("                    {} {}{} Test\n", test.title,
                      text_at(record, "bidirectional").empty() ? "" : "Bidirectional ",
                      is_stream(record) ? "BW" : "Latency");
  for (const PerftestFact& fact : perftest_facts()) {
    const std::string value = text_at(record, fact.key);
    const bool bytes = fact.key == "mtu" || fact.key == "max_inline";
    if (!value.empty()) text += fmt::format(" {:<16}: {}{}\n", fact.printed, value, bytes ? "[B]" : "");
  }
  return text + std::string(rule);
}

std::string latency_row(const Record& record, bool quantiles) {
  const double us = record.quantity == Quantity::rtt ? 2000 : 1000;
  const std::string bytes = text_at(record, "bytes");
  if (!quantiles) {
    const double tps = (record.quantity == Quantity::completion ? 1e9 : 5e8) / (record.value * 1000 / us);
    return fmt::format(" {:<7}       {}            {:<7.2f}         {:<7.2f}\n", bytes, record.n, record.value / us,
                       tps);
  }
  const auto of = [us](const std::optional<double>& value) { return or_nan(value) / us; };
  return fmt::format(
      " {:<7} {}          {:<7.2f}        {:<7.2f}      {:<7.2f}     {:<7.2f}     {:<7.2f}     {:<7.2f}     {:<7.2f}\n",
      bytes, record.n, of(record.min), of(record.max), of(record.p50), record.p50 ? of({}) : record.value / us, of({}),
      of(record.p99), of({}));
}

std::string stream_row(const Line& line, std::string_view unit) {
  const double gb = unit == "Gb/sec" ? gigabit_per_second : mebibyte_per_second;
  const Record* bandwidth = line.find("bandwidth");
  const Record* rate = line.find("message_rate");
  const double peak = bandwidth != nullptr && bandwidth->max ? *bandwidth->max / gb : 0;
  return fmt::format(" {:<7}    {:<10}       {:<7.2f}            {:<7.2f}             {:<7.6f}\n",
                     text_at(line.any(), "bytes"), line.any().n, peak,
                     bandwidth != nullptr ? bandwidth->value / gb : std::nan(""),
                     rate != nullptr ? rate->value : std::nan(""));
}

std::string header(const Sheet& sheet, std::string_view unit) {
  if (is_stream(sheet.any()))
    return fmt::format(" #bytes     #iterations    BW peak[{0}]    BW average[{0}]   MsgRate[Mpps]\n", unit);
  if (!has_quantiles(sheet.any())) return " #bytes        #iterations       t_avg[usec]    tps average\n";
  return " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   "
         "99% percentile[usec]   99.9% percentile[usec] \n";
}

}  // namespace

Table perftest_table(const std::vector<Record>& records) {
  std::vector<std::string_view> keys = {"bytes", "verb", "atomic", "bidirectional", "memory"};
  for (const PerftestFact& fact : perftest_facts()) keys.push_back(fact.key);
  Sorter sorter(records, keys, place);
  Table table;
  for (const Sheet& sheet : sorter.sheets()) {
    std::string_view unit = "MiB/sec";
    for (const Line& line : sheet.lines)
      if (const Record* bandwidth = line.find("bandwidth")) unit = unit_of_bandwidth(*bandwidth);
    table.text += above(sheet.any(), *test_of(sheet.any())) + header(sheet, unit);
    for (const Line& line : sheet.lines)
      table.text +=
          is_stream(sheet.any()) ? stream_row(line, unit) : latency_row(line.any(), has_quantiles(sheet.any()));
    table.text += rule;
  }
  table.left = sorter.take_left();
  return table;
}

}  // namespace gicsim::imports::detail
