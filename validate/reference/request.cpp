// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/reference/request.h"

namespace gicsim::reference {

std::string to_scenario_text(const ScenarioRequest& request) {
  std::string text;
  for (const auto& [key, value] : request.keys) text += key + ": " + value + "\n";
  if (!request.set.empty()) text += "set:\n";
  for (const auto& [key, value] : request.set) text += "  " + key + ": " + value + "\n";
  return text;
}

}  // namespace gicsim::reference
