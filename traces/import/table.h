// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "traces/import/import.h"

namespace gicsim::imports {

/// Whose tables records are written as.
enum class Layout { perftest, nvshmem, nccl_tests };
constexpr auto names_of(Layout) { return std::array<std::string_view, 3>{"perftest", "nvshmem", "nccl-tests"}; }

struct Table {
  std::string text;
  std::vector<Left> left;  ///< records, or keys of theirs, without a place; `line` is the record's number
};

/// Tables as the tool prints them, with its decimals; what a record doesn't know is nan. The reader of that tool reads
/// them back: a table made of what was read from one gives the same records.
Table to_table(const std::vector<Record>& records, Layout layout);

}  // namespace gicsim::imports
