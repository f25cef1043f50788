// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "traces/import/detail/found.h"
#include "traces/import/detail/nvshmem_job.h"

namespace gicsim::imports::detail {

/// What NVSHMEM's tests say, be it in a table or in machine-readable lines: options, then rows.
class NvshmemTests {
 public:
  struct Row {
    std::string_view scope, type, redop;
    std::int64_t size = 0;
    std::optional<double> value, min, max, algbw, busbw;  ///< as printed
  };

  explicit NvshmemTests(Found& found) : found_(found) {}

  void options(std::string_view line);  ///< the line that each PE prints
  /// @param unit  of value, min and max: us, GB/sec, MMPS
  void row(int line, std::string_view name, std::string_view unit, const Row& row);

 private:
  void give(std::string_view name, const NvshmemJob& job, const Row& row, Quantity quantity, double value,
            std::string_view unit, double spread);  // min and max times `spread`, 0: they aren't of this figure

  Found& found_;
  std::optional<std::int64_t> iterations_, ctas_, threads_;
};

}  // namespace gicsim::imports::detail
