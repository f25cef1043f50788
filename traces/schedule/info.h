// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "traces/schedule/source.h"

namespace gicsim::schedule {

/// A rank to which as many messages were not sent as it receives.
struct Unmatched {
  std::size_t rank = 0;
  std::uint64_t sent_to_it = 0, receives = 0;
};

/// A schedule, read to its end, in memory that depends on the number of ranks alone.
struct Info {
  std::string file, format;
  std::size_t ranks = 0, silent_ranks = 0;  ///< silent: no steps
  std::array<std::uint64_t, action_names.size()> steps{};
  std::uint64_t messages = 0, needs = 0, most_steps = 0;  ///< most_steps: of one rank
  Bytes bytes{}, least{}, largest{};                      ///< of messages
  Picoseconds calculated{}, most_calculated{};            ///< of all ranks, of the busiest
  std::size_t busiest = 0;
  std::optional<Picoseconds> began, ended;  ///< as captured
  std::uint64_t captured = 0;               ///< steps with a captured begin or end
  /// Steps of one rank of which each needs the one before; at least, where needs point ahead or far back.
  std::uint64_t chain = 0;
  std::size_t chain_rank = 0;
  bool chain_exact = true;
  std::uint64_t any_source = 0;
  std::uint64_t unmatched_ranks = 0;
  std::vector<Unmatched> unmatched;  ///< the first few
  std::vector<std::string> hosts, notes;
  std::vector<Unused> unused;

  std::uint64_t all_steps() const;
};

Info read_info(Source& source, std::string file);
std::string to_text(const Info& info);
/// gicsim.trace/1
std::string to_json(const std::vector<Info>& all);

}  // namespace gicsim::schedule
