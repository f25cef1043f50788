// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "cli/print.h"
#include "scenarios/whatif/run.h"
#include "validate/compare/simulator.h"
#include "validate/kit/kit.h"

namespace gicsim::cli {

int perform(const Kit& command, const std::string& root) {
  const auto simulate = compare::simulator(root, [](const schema::Scenario& scenario) {
    return whatif::run_scenario(scenario, {.gain = false});
  });
  const std::vector<kit::Point> points = kit::predict(root, command.system, simulate);
  kit::write(points, command.system, command.out);
  std::size_t figures = 0, without = 0;
  for (const kit::Point& point : points) figures += point.records.size(), without += point.records.empty();
  print(std::to_string(figures) + " figures predicted for " + command.system + " in " + command.out +
        "/predictions.jsonl; " + std::to_string(without) + " points that it can't run are in README.md\non that machine: " +
        command.out + "/fill\n");
  return 0;
}

}  // namespace gicsim::cli
