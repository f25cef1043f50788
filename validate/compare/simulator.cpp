// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/compare/simulator.h"

#include "scenarios/schema/load.h"

namespace gicsim::compare {

Simulate simulator(std::string root, std::function<report::Finished(const schema::Scenario&)> run) {
  return [root = std::move(root), run = std::move(run)](const ScenarioRequest& request) {
    std::vector<schema::Override> given;
    for (const auto& [key, value] : request.keys) given.push_back({key, value});
    for (const auto& [key, value] : request.set) given.push_back({key, value});
    return run(schema::load_scenario(root + "/validate/compare/base.yaml", given, root));
  };
}

}  // namespace gicsim::compare
