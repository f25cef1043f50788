// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "traces/schedule/source.h"

namespace gicsim::schedule {

/// Who talks to whom, from one reading of a schedule: what a machine for it has to connect.
struct Talk {
  struct Sum {
    std::uint64_t messages = 0, receives = 0;
    Bytes bytes{};
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Sum> pairs;  ///< from rank, to rank; not to itself
  std::array<std::uint64_t, action_names.size()> actions{};
  std::uint64_t steps = 0;
  Bytes longest{};
  std::uint32_t any_source = 0;      ///< receives from any rank
  bool began = false, ended = false; ///< the trace has captured times
  Picoseconds first{}, last{};       ///< of these
};

/// Reads a schedule to its end, then rewinds it. Memory grows with ranks and pairs, not with steps.
/// @param tell  called now and then
/// @throws ConfigError for a peer that isn't a rank, and what the source throws
Talk listen(Source& source, const std::function<void()>& tell = {});

}  // namespace gicsim::schedule
