// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "traces/result/names.h"

namespace gicsim::imports::detail {

/// What a test of NVSHMEM's perftest measures, by the name that it prints.
struct NvshmemJob {
  Pattern pattern = Pattern::put;
  Quantity latency = Quantity::latency;  ///< of its time, where it has one
  std::string_view verb, atomic;         ///< in `where`, empty where there is none
  bool by_host = false;                  ///< a CPU thread puts it on a stream
};

std::optional<NvshmemJob> nvshmem_job(std::string_view name);
constexpr bool is_collective(Pattern p) { return p >= Pattern::barrier && p <= Pattern::all_to_all; }
/// A name that gives this job back; empty where NVSHMEM has no such test.
std::string_view nvshmem_name(Pattern pattern, Quantity quantity, std::string_view verb, std::string_view atomic);

}  // namespace gicsim::imports::detail
