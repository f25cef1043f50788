// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/import/detail/found.h"

namespace gicsim::imports::detail {

/// What one of perftest's programs does. Write and send latency are half of a ping-pong's round trip, read and
/// atomic latency the whole of one operation.
struct PerftestTest {
  std::string_view title;  ///< as printed before "Latency Test" and "BW Test"
  Pattern latency_pattern;
  Quantity latency_quantity;
  Pattern stream_pattern;
  std::string_view atomic, verb;  ///< in `where`, empty where there is none
};
const std::array<PerftestTest, 5>& perftest_tests();

/// A fact above the table that goes with each figure: its name there, in JSON, and in `where`.
struct PerftestFact {
  std::string_view printed, key;
  bool number;
};
const std::array<PerftestFact, 6>& perftest_facts();

constexpr double mebibyte_per_second = 1048576e-9;  // in GB/s; perftest's MB/sec and MiB/sec alike
constexpr double gigabit_per_second = 0.125;

/// One run of perftest, be it read from text or JSON: what is said above the table, then its rows.
class PerftestRun {
 public:
  enum class Column { bytes, iterations, min, max, typical, average, p99, peak, bandwidth, rate, unused };
  using Row = std::vector<std::pair<Column, Cell>>;

  explicit PerftestRun(Found& found) : found_(found) {}

  void title(std::string_view text);  ///< "RDMA_Write Latency Test", "Send_Bidirectional_BW_Test"
  void fact(std::string_view name, std::string_view value);
  void gpu_buffer();  ///< it was said that the buffers lie in GPU memory
  void version(std::string_view text) { version_ = text; }
  /// @param unit  of bandwidth: "MB/sec", "MiB/sec", "Gb/sec"; empty: what agrees with the message rate
  void row(int line, const Row& row, std::string_view unit);

 private:
  const PerftestTest* test_of(int line, bool latency);
  void describe(Record& record, std::int64_t bytes) const;
  std::string source(const PerftestTest& test, std::string_view convention) const;
  void latency(int line, const Row& row, std::int64_t bytes, std::int64_t n);
  void bandwidth(int line, const Row& row, std::string_view unit, std::int64_t bytes, std::int64_t n);

  Found& found_;
  const PerftestTest* test_ = nullptr;
  bool bidirectional_ = false, gpu_ = false, rows_seen_ = false;
  std::string version_;
  std::vector<std::pair<const PerftestFact*, std::string>> facts_;
};

}  // namespace gicsim::imports::detail
