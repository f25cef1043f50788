// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/schema/scenario.h"

namespace gicsim::schema {

/// `--set KEY=VALUE`: a scenario key, else a parameter path. The later one wins.
struct Override {
  std::string key, value;
  const char* option = "--set";  ///< that gave it
};

/// Every value can be read, but together they ask for what can't be done: a path that lacks a feature, a
/// batch that its queue can't hold. With another value of one of the keys it may be fine.
class Inexpressible : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

/// Splits "nic.decode=80 ns".
/// @throws ConfigError without a '='
Override override_from(const std::string& argument);

/// Reads a scenario with its system and parts.
/// @param name_or_file  a file when it holds a '/' or ends in .yaml, else scenarios/runs/NAME.yaml
/// @param root  the folder that holds scenarios/ and configs/
/// @throws ConfigError with everything that is wrong, in order of file, line and column
Scenario load_scenario(const std::string& name_or_file, const std::vector<Override>& overrides,
                       const std::string& root);

/// A system by itself, for who wants its parameters: `name_or_file` as in a scenario's `system`.
Scenario load_system(const std::string& name_or_file, const std::vector<Override>& overrides,
                     const std::string& root);

}  // namespace gicsim::schema
