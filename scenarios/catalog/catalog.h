// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// What there is to run and to set, as text. Nothing here prints.
namespace gicsim::catalog {

/// Scenarios, systems, parts and profiles (libraries, proxies, verbs, runtimes) below `root`, each with its sentence.
std::string list(const std::string& root);

/// Parameters with value or default, bounds, provenance and sentence.
/// @param words  none: every kind. A system or a scenario: its resolved values. Any further
///               word is a filter: a kind ("nic") or the beginning of a path ("node0.nic0")
/// @throws ConfigError when nothing fits
std::string params(const std::string& root, const std::vector<std::string>& words);

/// A scenario file with every key explained, ready to run.
/// @throws ConfigError for an unknown pattern
std::string new_scenario(const std::string& pattern);

std::string parameter_reference();   ///< docs/parameters.md
std::string scenario_json_schema();  ///< docs/scenario.schema.json

}  // namespace gicsim::catalog
