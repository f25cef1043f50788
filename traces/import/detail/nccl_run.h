// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "traces/import/detail/found.h"

namespace gicsim::imports::detail {

/// all_reduce of "all_reduce_perf"; nothing for what is no collective that is known here.
std::optional<Pattern> nccl_collective(std::string_view name);
std::string_view nccl_name(Pattern pattern);  ///< without "_perf"; empty where there is no such test
/// Bytes of one element of a type as nccl-tests name it, 0 where it isn't known.
int nccl_type_size(std::string_view type);

/// One half of a row: out of place or in place.
struct NcclHalf {
  std::optional<double> time_us, algbw, busbw, min_us, max_us, p50_us, p99_us;
  bool wrong = false;  ///< the result wasn't what it should be
};

/// What nccl-tests say of one run, be it text or JSON.
struct NcclRun {
  std::optional<Pattern> collective;
  std::string version;
  std::int64_t ranks = 0, iterations = 0;  ///< 0: not said

  struct Row {
    std::int64_t bytes = 0;
    std::string type, redop, root;
  };
  void give(int line, const Row& row, const NcclHalf& half, bool in_place, Found& found) const;
  /// The collective, or what the user says it is; a mistake when nobody does.
  bool knows(int line, Found& found);
};

}  // namespace gicsim::imports::detail
