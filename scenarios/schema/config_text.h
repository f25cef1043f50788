// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/schema/scenario.h"

namespace gicsim::schema {

/// One line for all instances that agree on a parameter.
struct Group {
  std::string path;  ///< "nic.decode"; "nic.pcie.lanes" or "node0.nic0.decode" when they differ
  const Resolved* first = nullptr;
  std::size_t instances = 0;
};

/// The table in its shortest form; the paths, given to `set:`, make the same table again.
std::vector<Group> grouped(const std::vector<Resolved>& parameters);

/// The scenario as one file that needs no other: every value with its source, its origin as a
/// comment. Loaded again it gives the same Scenario; only places (`file`, `at`) differ.
std::string config_text(const Scenario& scenario);

}  // namespace gicsim::schema
