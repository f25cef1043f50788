// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "cli/commands.h"
#include "cli/print.h"
#include "scenarios/report/out_dir.h"
#include "scenarios/schema/config_text.h"
#include "scenarios/sweep/output.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/whatif/run.h"

namespace gicsim::cli {
namespace {

sweep::Request request_of(const Sweep& command, const std::string& root) {
  sweep::Request request{command.scenario, {}, {}, root, command.jobs};
  for (const std::string& argument : command.set) request.set.push_back(schema::override_from(argument));
  for (const std::string& argument : command.vary) request.axes.push_back(sweep::axis_from(argument));
  if (request.jobs == 0) request.jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return request;
}

/// What was asked: the axes, and the scenario of the first point that has one, which runs by itself.
std::string config(const Sweep& command, const sweep::Request& request, const sweep::Swept& swept) {
  std::string text;
  for (const std::string& axis : command.vary) text += "# --vary '" + axis + "'\n";
  const auto point =
      std::find_if(swept.points.begin(), swept.points.end(), [](const sweep::Point& p) { return p.code != 2; });
  return text + schema::config_text(schema::load_scenario(
                    request.scenario, sweep::overrides(request, point->values), request.root));
}

void show(std::size_t ended, std::size_t failed, std::size_t of) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::string line = "\r" + std::to_string(ended) + " of " + std::to_string(of) + " points";
  if (failed > 0) line += ", " + std::to_string(failed) + " failed";
  if (ended == of) line = "\r\x1b[K";
  murmur(line);
}

}  // namespace

int perform(const Sweep& command, const std::string& root) {
  const sweep::Request request = request_of(command, root);
  std::optional<report::OutDir> folder;
  if (command.out) folder.emplace(*command.out);
  const sweep::Swept swept = sweep::run(
      request, [](const schema::Scenario& scenario) { return whatif::run_scenario(scenario, {.gain = false}); }, show);
  print(sweep::table(swept));
  if (folder)
    folder->write({{"records.jsonl", sweep::records(swept)},
                   {"sweep.csv", sweep::csv(swept)},
                   {"config.yaml", config(command, request, swept)}});
  return sweep::exit_code(swept);
}

}  // namespace gicsim::cli
