// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "traces/import/detail/found.h"
#include "traces/import/detail/input.h"

namespace gicsim::imports::detail {

/// One layout of one tool.
struct Format {
  std::string_view name;
  bool (*detect)(std::string_view head);  ///< by what a text begins with
  void (*read)(Input& in, Found& found);
};

extern const Format perftest, perftest_json, nvshmem, nccl_tests, nccl_tests_json, nvbandwidth, nvbandwidth_json,
    gdrcopy, records;

}  // namespace gicsim::imports::detail
