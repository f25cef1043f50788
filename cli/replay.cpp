// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <exception>

#include "cli/commands.h"
#include "cli/exports.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/version.h"
#include "models/base/errors.h"
#include "scenarios/whatif/replay.h"
#include "traces/open/open.h"

namespace gicsim::cli {
namespace {

using Start = workloads::ReplayOptions::Start;

ConfigError wrong(const std::string& what) { return {Location{"gicsim"}, what}; }

Start start_of(const std::string& word) {
  if (word == "dependencies") return Start::dependencies;
  if (word == "captured") return Start::captured;
  throw wrong("--start: '" + word + "' isn't known; write 'dependencies' or 'captured'");
}

/// What suits the trace, then what the user says.
std::vector<schema::Override> keys_of(const Replay& command, const traces::Opened& trace) {
  std::vector<schema::Override> all;
  for (const auto& [key, value] : trace.suits) all.push_back({key, value, "trace"});
  if (command.system) all.push_back({"system", *command.system, "--system"});
  if (command.path) all.push_back({"path", *command.path, "--path"});
  for (const std::string& argument : command.set) all.push_back(schema::override_from(argument));
  return all;
}

}  // namespace

int perform(const Replay& command, const std::string& root) {
  whatif::ReplayRequest request;
  request.options.start = start_of(command.start);
  if (!std::isfinite(command.compute) || command.compute < 0)
    throw wrong("--compute: write a factor of 0 or more, as '0.5'");
  request.options.compute = command.compute;
  Exported exported(command);
  traces::Opened trace = traces::open(command.files);
  request.files = command.files;
  request.set = keys_of(command, trace);
  request.map = command.map.value_or("");
  request.inferred = trace.inferred;
  request.gain = !command.no_gain;
  request.exporters = exported.heard();
  Progress progress;
  request.progress = [&](const std::string& doing, double share) { progress.tell(doing, share); };
  report::Replay replay;
  try {
    replay = whatif::replay(*trace.source, request, root);
  } catch (const ModelError&) {
    progress.clear();
    try {
      exported.write();
    } catch (const std::exception& error) {
      complain(error.what());  // the run's own end is what counts
    }
    throw;
  } catch (...) {
    progress.clear();
    throw;
  }
  progress.clear();
  exported.write();
  replay.version = version();
  const std::string json = report::json(replay);
  print(command.json ? json : report::text(replay));
  if (command.out) report::OutDir(*command.out).write(report::OutDir::Files{{"replay.json", json}});
  return replay.status == Status::done ? 0 : 1;
}

}  // namespace gicsim::cli
