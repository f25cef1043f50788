// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/whatif/placement.h"
#include "scenarios/whatif/replay.h"
#include "traces/schedule/talk.h"

namespace gicsim::whatif {

/// The machine, with a node for each rank that needs one, and a connection for each two ranks that talk.
struct Plan {
  schema::Scenario scenario;
  std::vector<RankPlace> places;
  std::vector<std::pair<std::size_t, std::size_t>> talks;  ///< in the order of the lanes
};

/// @throws ConfigError for what the scenario can't be, and where more is asked for than there is room
Plan plan(const schedule::Source& source, const schedule::Talk& talk, const ReplayRequest& request,
          const std::string& root);

/// "node0.gpu1"
std::string name_of(RankPlace at);

}  // namespace gicsim::whatif
