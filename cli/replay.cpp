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
#include "scenarios/whatif/tlp_replay.h"
#include "traces/open/open.h"
#include "traces/tlp/info.h"

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
std::vector<schema::Override> keys_of(const Replay& command, const schedule::Keys& suits) {
  std::vector<schema::Override> all;
  for (const auto& [key, value] : suits) all.push_back({key, value, "trace"});
  if (command.system) all.push_back({"system", *command.system, "--system"});
  if (command.path) all.push_back({"path", *command.path, "--path"});
  for (const std::string& argument : command.set) all.push_back(schema::override_from(argument));
  return all;
}

/// Plays it, and prints and writes what came out; what exporters heard is written however it ended.
template <class Play>
int play(const Replay& command, Exported& exported, whatif::ReplayRequest& request, Play replay_it) {
  Progress progress;
  request.progress = [&](const std::string& doing, double share) { progress.tell(doing, share); };
  auto replay = [&] {
    try {
      return replay_it();
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
  }();
  progress.clear();
  exported.write();
  replay.version = version();
  const std::string json = report::json(replay);
  print(command.json ? json : report::text(replay));
  if (command.out) report::OutDir(*command.out).write(report::OutDir::Files{{"replay.json", json}});
  return replay.status == Status::done ? 0 : 1;
}

int play_tlps(const Replay& command, Exported& exported, whatif::ReplayRequest& request, const std::string& root) {
  if (command.files.size() > 1)
    throw ConfigError(Location{command.files[1]}, "a second file; TLPs are played from one");
  if (command.path)
    throw wrong("--path: belongs to messages; TLPs are made by the ports of the devices that made them");
  if (command.compute != 1) throw wrong("--compute: a trace of TLPs has no computing times");
  request.set = keys_of(command, {});
  return play(command, exported, request,
              [&] { return whatif::replay_tlps([&] { return tlp::open(command.files.front()); }, request, root); });
}

}  // namespace

int perform(const Replay& command, const std::string& root) {
  whatif::ReplayRequest request;
  request.options.start = start_of(command.start);
  if (!std::isfinite(command.compute) || command.compute < 0)
    throw wrong("--compute: write a factor of 0 or more, as '0.5'");
  request.options.compute = command.compute;
  Exported exported(command);
  request.files = command.files;
  request.map = command.map.value_or("");
  request.gain = !command.no_gain;
  request.exporters = exported.heard();
  if (tlp::open(command.files.front())) return play_tlps(command, exported, request, root);
  const traces::Opened trace = traces::open(command.files);
  request.set = keys_of(command, trace.suits);
  request.inferred = trace.inferred;
  return play(command, exported, request, [&] { return whatif::replay(*trace.source, request, root); });
}

}  // namespace gicsim::cli
