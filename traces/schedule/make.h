// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "traces/schedule/source.h"

namespace gicsim::schedule {

/// What people train and serve with, at a given scale.
enum class Workload : std::uint8_t { ring_all_reduce, tree_all_reduce, all_to_all, pipeline, moe };
inline constexpr std::array<std::string_view, 5> workload_names{"ring_all_reduce", "tree_all_reduce", "all_to_all",
                                                                "pipeline", "moe"};
constexpr std::string_view name_of(Workload w) { return workload_names[static_cast<std::size_t>(w)]; }

struct Making {
  Workload what = Workload::ring_all_reduce;
  std::size_t ranks = 2;
  Bytes bytes = 1_MiB;    ///< of the vector; pipeline: of a micro-batch between stages; moe: of a rank's tokens
  Picoseconds compute{};  ///< before each collective; pipeline: a layer forward, twice that backward; moe: a layer's
                          ///< dense part, and its experts' at the mean load
  std::uint64_t iterations = 1;
  std::size_t layers = 0;         ///< pipeline: in all, spread over the ranks, 0: one each; moe: 0: one
  std::size_t micro_batches = 0;  ///< of a pipeline; 0: as many as there are ranks
  std::size_t experts = 0;        ///< of a moe, spread over the ranks; 0: one each
  std::size_t top_k = 2;          ///< experts of a token
  std::size_t tokens = 256;       ///< of a rank
  std::uint64_t seed = 1;         ///< of the experts' loads
};

/// A schedule that is made while it is read, the same each time.
///  - all-reduce, all-to-all: calc, collective, as often as there are iterations.
///  - pipeline: a stage a rank, one forward one backward: as many micro-batches under way as there are stages behind.
///  - moe: a layer is dense calc, all-to-all to the experts, experts' calc, all-to-all back. Loads are binomial.
/// Source: Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters, 2021 (1F1B); Lepikhin et
/// al., GShard, 2020 (experts)
std::unique_ptr<Source> make(const Making& making);

/// Tokens that rank `from` sends to the experts of rank `to`, in dispatch number `dispatch`.
std::int64_t tokens_between(const Making& making, std::uint64_t dispatch, std::size_t from, std::size_t to);

}  // namespace gicsim::schedule
