// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/commands.h"
#include "cli/exports.h"
#include "cli/print.h"
#include "cli/version.h"
#include "models/base/errors.h"
#include "scenarios/report/json.h"
#include "scenarios/report/out_dir.h"
#include "scenarios/report/sums.h"
#include "scenarios/report/text.h"
#include "scenarios/schema/config_text.h"
#include "scenarios/schema/load.h"
#include "scenarios/whatif/run.h"
#include "scenarios/whatif/side_by_side.h"
#include "validate/evidence/evidence.h"

namespace gicsim::cli {
namespace {

std::vector<schema::Override> overrides_of(const Run& command) {
  std::vector<schema::Override> overrides;
  for (const std::string& argument : command.set)
    overrides.push_back(schema::override_from(argument));
  return overrides;
}

int exit_code(const report::Finished& run) {
  if (!report::imbalances(run).empty()) return 3;
  return run.status == run.expected ? 0 : 1;
}

/// One table instead of a report; the worst of its runs counts.
int path_by_path(const Run& command, const std::string& root) {
  report::SideBySide table =
      whatif::side_by_side(*command.scenario, overrides_of(command), whatif::paths_from(*command.paths), root);
  table.version = version();
  print(command.json ? report::json(table) : report::text(table));
  int worst = 0;
  for (const report::PathRun& path : table.paths)
    if (path.run) worst = std::max(worst, exit_code(*path.run));
  return worst;
}

}  // namespace

int perform(const Run& command, const std::string& root) {
  if (!command.scenario) {
    if (command.json || command.out || command.paths || command.tlp_log || command.exports)
      throw ConfigError(Location{"gicsim"}, "run: which scenario? 'gicsim list' names them");
    return perform(List{}, root);
  }
  if (command.paths) return path_by_path(command, root);
  const schema::Scenario scenario = schema::load_scenario(*command.scenario, overrides_of(command), root);
  if (command.list_traffic) {
    std::string lines;
    for (const std::string& sent : whatif::traffic(scenario)) lines += sent + "\n";
    print(lines);
    return 0;
  }
  Exported exported(command);
  std::optional<report::OutDir> folder;
  if (command.out) folder.emplace(*command.out);

  report::Finished run = run_exported(scenario, exported);
  run.version = version();
  run.evidence = evidence::lines_for(run, evidence::load(root + "/validate/evidence/evidence.yaml"));
  print(command.json ? report::json(run) : command.counters ? report::counters_text(run) : report::text(run));
  if (folder) folder->write(run, schema::config_text(scenario));
  return exit_code(run);
}

}  // namespace gicsim::cli
