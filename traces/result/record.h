// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "traces/result/names.h"

namespace gicsim {

/// Of a measured figure: which clock told the time, and what repeats of the whole measurement gave.
struct Repeats {
  std::string clock;         ///< "gpu clock64 at 1980 MHz", "tsc"
  std::int64_t count = 0;    ///< repeats
  double low = 0, high = 0;  ///< least and greatest of their medians, in the record's unit
};

/// One figure, be it simulated, measured or published: a line of `gicsim.result/1`.
struct Record {
  using Plain = std::variant<std::int64_t, std::string>;

  Origin origin = Origin::simulated;
  std::string system;
  Pattern pattern = Pattern::put;
  Path path = Path::gpu_direct;
  std::vector<std::pair<std::string, Plain>> where;  ///< scenario keys: bytes 8, ordering gpu_fence
  Quantity quantity = Quantity::put_completion;
  double value = 0;  ///< in unit_of(quantity)
  std::optional<double> p50, p99, min, max;  ///< p99 only where something spreads
  std::int64_t n = 0;
  std::string source;
  std::optional<Repeats> repeats;  ///< written only where there are any
};

/// One JSON object on one line, no newline; field order as in the format's definition.
/// Doubles are the shortest text that reads back to the same bits. A quantile that isn't known is
/// null, not left out: every line has the same fields, so a tool that makes columns of them finds
/// `p99` in a run without spread too, and sees that nobody worked it out.
/// @throws std::domain_error when a figure is infinite or not a number: JSON has no word for it
std::string to_json_line(const Record& record);

}  // namespace gicsim
