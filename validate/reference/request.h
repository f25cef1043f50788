// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace gicsim::reference {

/// What a map asks a simulator to run: the keys of a scenario file and its `set:`, as text.
struct ScenarioRequest {
  std::map<std::string, std::string> keys;  ///< {"bytes","8 B"}; `system` is among them
  std::map<std::string, std::string> set;   ///< {"host.state","warm"}

  friend auto operator<=>(const ScenarioRequest&, const ScenarioRequest&) = default;

  /// A key, or empty.
  std::string key(const std::string& name) const {
    const auto found = keys.find(name);
    return found == keys.end() ? std::string() : found->second;
  }
};

/// The same as a scenario file.
std::string to_scenario_text(const ScenarioRequest& request);

}  // namespace gicsim::reference
