// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/run.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "cli/version.h"
#include "models/base/errors.h"
#include "scenarios/report/json.h"
#include "scenarios/report/out_dir.h"
#include "scenarios/report/sums.h"
#include "scenarios/report/text.h"
#include "scenarios/schema/config_text.h"
#include "scenarios/schema/load.h"
#include "validate/evidence/evidence.h"

namespace gicsim::cli {
namespace {

schema::Scenario scenario_of(const Run& command, const std::string& root) {
  std::vector<schema::Override> overrides;
  for (const std::string& argument : command.set)
    overrides.push_back(schema::override_from(argument));
  return schema::load_scenario(*command.scenario, overrides, root);
}

int exit_code(const report::Finished& run) {
  if (!report::imbalances(run).empty()) return 3;
  return run.status == run.expected ? 0 : 1;
}

}  // namespace

int perform(const Run& command, const std::string& root) {
  if (!command.scenario) {
    if (command.json || command.out)
      throw ConfigError(Location{"gicsim"}, "run: which scenario? 'gicsim list' names them");
    return perform(List{}, root);
  }
  const schema::Scenario scenario = scenario_of(command, root);
  if (command.list_traffic) {
    std::string lines;
    for (const std::string& sent : whatif::traffic(scenario)) lines += sent + "\n";
    print(lines);
    return 0;
  }
  std::optional<report::OutDir> folder;
  if (command.out) folder.emplace(*command.out);

  report::Finished run = whatif::run_scenario(scenario);
  run.version = version();
  run.evidence = evidence::lines_for(run, evidence::load(root + "/validate/evidence/evidence.yaml"));
  print(command.json ? report::json(run) : report::text(run));
  if (folder) folder->write(run, schema::config_text(scenario));
  return exit_code(run);
}

}  // namespace gicsim::cli
