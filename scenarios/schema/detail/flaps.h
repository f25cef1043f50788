// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/schema/detail/given.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::schema::detail {

/// The cables of a system by the names that users give them: node0.nic0.link, fabric.link0.
std::vector<std::string> cables(const SystemSpec& system);

/// A cable that goes down for so long.
FlapSpec flap_of(const std::string& cable, const SystemSpec& system, Picoseconds at, Picoseconds lasts);

/// Reads the scenario's `flap`, which stands at `at`, into its system's flaps.
void read_flaps(Scenario& scenario, const Location& at, Mistakes& mistakes);

}  // namespace gicsim::schema::detail
