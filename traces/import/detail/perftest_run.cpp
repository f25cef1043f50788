// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/perftest_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gicsim::imports::detail {
namespace {

using Column = PerftestRun::Column;

const Cell* find(const PerftestRun::Row& row, Column wanted) {
  for (const auto& [column, cell] : row)
    if (column == wanted) return &cell;
  return nullptr;
}

constexpr double unit_value(std::string_view unit) {
  return unit == "Gb/sec" ? gigabit_per_second : mebibyte_per_second;
}

/// JSON doesn't say which unit its bandwidth has; messages a second times their size does. The two lie 119 apart.
std::string_view unit_by_rate(double printed, double rate, std::int64_t bytes) {
  const double expected = rate * static_cast<double>(bytes) * 1e-3;
  for (const std::string_view unit : {"MiB/sec", "Gb/sec"})
    if (printed > 0 && std::abs(printed * unit_value(unit) / expected - 1) < 0.25) return unit;
  return {};
}

}  // namespace

const std::array<PerftestTest, 5>& perftest_tests() {
  static constexpr std::array<PerftestTest, 5> tests{{
      {"RDMA_Write", Pattern::ping_pong, Quantity::one_way, Pattern::put_bw, "", "put"},
      {"RDMA_Read", Pattern::get, Quantity::completion, Pattern::put_bw, "", "get"},
      {"Send", Pattern::send, Quantity::one_way, Pattern::send, "", ""},
      {"Atomic FETCH_AND_ADD", Pattern::atomic, Quantity::completion, Pattern::put_bw, "fetch_add", "fetch_add"},
      {"Atomic CMP_AND_SWAP", Pattern::atomic, Quantity::completion, Pattern::put_bw, "compare_swap", "compare_swap"},
  }};
  return tests;
}

const std::array<PerftestFact, 6>& perftest_facts() {
  static constexpr std::array<PerftestFact, 6> facts{{{"Number of qps", "qps", true},
                                                      {"Connection type", "connection", false},
                                                      {"TX depth", "tx_depth", true},
                                                      {"Mtu", "mtu", true},
                                                      {"Link type", "link", false},
                                                      {"Max inline data", "max_inline", true}}};
  return facts;
}

void PerftestRun::title(std::string_view text) {
  std::string words(text);
  if (!has(words, " ")) {  // JSON joins them by underscores
    std::replace(words.begin(), words.end(), '_', ' ');
    for (const std::string_view verb : {"RDMA Write", "RDMA Read"})
      if (begins(words, verb)) words[4] = '_';
    for (const auto& [spaced, joined] : {std::pair{"FETCH AND ADD", "FETCH_AND_ADD"}, {"CMP AND SWAP", "CMP_AND_SWAP"}})
      if (const std::size_t at = words.find(spaced); at != words.npos)
        words.replace(at, std::string_view(joined).size(), joined);
  }
  if (rows_seen_) gpu_ = false;
  rows_seen_ = false;
  facts_.clear();
  bidirectional_ = has(words, "Bidirectional");
  test_ = nullptr;
  for (const PerftestTest& test : perftest_tests())
    if (has(words, test.title)) test_ = &test;
}

void PerftestRun::gpu_buffer() {
  rows_seen_ = false;
  gpu_ = true;
}

void PerftestRun::fact(std::string_view name, std::string_view value) {
  for (const PerftestFact& fact : perftest_facts())
    if (fact.printed == name) facts_.emplace_back(&fact, value);
}

const PerftestTest* PerftestRun::test_of(int line, bool latency) {
  if (test_ != nullptr) return test_;
  for (const PerftestTest& test : perftest_tests())
    if (found_.said().pattern == (latency ? test.latency_pattern : test.stream_pattern)) return test_ = &test;
  found_.mistake(
      line, 1,
      fmt::format("which test is this? The line 'RDMA_Write {} Test' or the like is missing above the table; "
                  "put it there, or give --pattern {}",
                  latency ? "Latency" : "BW",
                  latency ? "ping_pong (write), get, send or atomic" : "put_bw (write) or send"));
  return nullptr;
}

void PerftestRun::describe(Record& record, std::int64_t bytes) const {
  put(record, "bytes", bytes);
  const bool stream = record.quantity == Quantity::bandwidth || record.quantity == Quantity::message_rate;
  if (stream && !test_->verb.empty()) put(record, "verb", test_->verb);
  if (!stream && !test_->atomic.empty()) put(record, "atomic", test_->atomic);
  if (bidirectional_) put(record, "bidirectional", std::string_view("yes"));
  for (const auto& [fact, value] : facts_) {
    const auto number = whole(std::string_view(value).substr(0, value.find('[')));
    if (!fact->number)
      put(record, fact->key, std::string_view(value));
    else if (number)
      put(record, fact->key, *number);
  }
  put(record, "memory", std::string_view(gpu_ ? "gpu" : "host"));
}

std::string PerftestRun::source(const PerftestTest& test, std::string_view convention) const {
  return fmt::format("perftest{}{} {}, {}", version_.empty() ? "" : " ", version_, test.title, convention);
}

void PerftestRun::row(int line, const Row& row, std::string_view unit) {
  rows_seen_ = true;
  const Cell* size = find(row, Column::bytes);
  const Cell* iterations = find(row, Column::iterations);
  if (size == nullptr || iterations == nullptr) return found_.mistake(line, 1, "a row without size or iterations");
  const auto bytes = found_.count(line, *size, "size");
  const auto n = found_.count(line, *iterations, "iterations");
  if (!bytes || !n) return;
  if (find(row, Column::bandwidth) != nullptr)
    bandwidth(line, row, unit, *bytes, *n);
  else
    latency(line, row, *bytes, *n);
}

void PerftestRun::latency(int line, const Row& row, std::int64_t bytes, std::int64_t n) {
  const PerftestTest* test = test_of(line, true);
  const Cell* typical = find(row, Column::typical);
  const Cell* average = find(row, Column::average);
  if (test == nullptr) return;
  if (typical == nullptr && average == nullptr)
    return found_.mistake(line, 1, "a row with neither t_typical nor t_avg");
  if (typical != nullptr && average != nullptr && is_unknown(typical->text)) typical = nullptr;
  const auto usec =
      typical != nullptr ? found_.figure(line, *typical, "t_typical") : found_.figure(line, *average, "t_avg");
  const auto ns = [&](Column column, std::string_view name) -> std::optional<double> {
    const Cell* cell = find(row, column);
    const auto figure = cell == nullptr ? std::nullopt : found_.figure(line, *cell, name);
    return figure ? std::optional(*figure * 1000) : std::nullopt;
  };
  if (!usec) return;
  const bool half = test->latency_quantity == Quantity::one_way;
  Record record = measured(test->latency_pattern, Path::cpu_post, test->latency_quantity, *usec * 1000,
                           source(*test, fmt::format("{} in usec, {}", typical != nullptr ? "t_typical" : "t_avg",
                                                     half ? "half of the round trip" : "whole operation")));
  if (typical != nullptr) record.p50 = record.value;
  record.min = ns(Column::min, "t_min");
  record.max = ns(Column::max, "t_max");
  record.p99 = ns(Column::p99, "99% percentile");
  record.n = n;
  describe(record, bytes);
  found_.record(std::move(record));
}

void PerftestRun::bandwidth(int line, const Row& row, std::string_view unit, std::int64_t bytes, std::int64_t n) {
  const PerftestTest* test = test_of(line, false);
  if (test == nullptr) return;
  const auto figure = [&](Column column, std::string_view name) -> std::optional<double> {
    const Cell* cell = find(row, column);
    return cell == nullptr ? std::nullopt : found_.figure(line, *cell, name);
  };
  const auto average = figure(Column::bandwidth, "BW average");
  const auto peak = figure(Column::peak, "BW peak");
  const auto rate = figure(Column::rate, "MsgRate");
  if (unit.empty() && average && rate) unit = unit_by_rate(*average, *rate, bytes);
  if (average && unit.empty())
    found_.leave(line, "BW average in a unit that isn't told and doesn't follow from MsgRate");
  if (average && *average == 0) found_.leave(line, "BW average of 0.00: below what is printed");
  if (average && *average > 0 && !unit.empty()) {
    const double gb = unit_value(unit);
    Record record = measured(
        test->stream_pattern, Path::cpu_post, Quantity::bandwidth, *average * gb,
        source(*test, fmt::format("BW average in {} ({})", unit, unit == "Gb/sec" ? "10^9 bit/s" : "2^20 B/s")));
    if (peak && *peak > 0) record.max = *peak * gb;  // 0: not measured
    record.n = n;
    describe(record, bytes);
    found_.record(std::move(record));
  }
  if (!rate) return;
  if (*rate == 0) return found_.leave(line, "MsgRate of 0: below what is printed");
  Record record = measured(test->stream_pattern, Path::cpu_post, Quantity::message_rate, *rate,
                           source(*test, "MsgRate in Mpps (10^6/s)"));
  record.n = n;
  describe(record, bytes);
  found_.record(std::move(record));
}

}  // namespace gicsim::imports::detail
