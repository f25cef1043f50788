// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenarios/report/replay.h"
#include "scenarios/schema/load.h"
#include "scenarios/whatif/exports.h"
#include "scenarios/workloads/replay.h"
#include "traces/schedule/source.h"

namespace gicsim::whatif {

/// How a trace is replayed, and on what.
struct ReplayRequest {
  std::vector<std::string> files;     ///< as the user named them
  std::vector<schema::Override> set;  ///< of the scenario behind it; its system too
  std::string map;                    ///< of ranks to GPUs, as place() takes it
  workloads::ReplayOptions options;
  bool inferred = false;  ///< the trace's needs are guesses: captured begins do without
  bool gain = true;       ///< a second replay with the binding resource twice as fast
  Exporters exporters{};
  std::function<void(const workloads::Played&)> played{};
  std::function<void(const std::string& doing, double share)> progress{};
};

/// Reads the schedule twice, to see who talks to whom and to play it, and a third time for the gain.
/// @param root  the folder that holds scenarios/ and configs/
/// @throws ConfigError with file and line for what is wrong with the trace
report::Replay replay(schedule::Source& source, const ReplayRequest& request, const std::string& root);

}  // namespace gicsim::whatif
