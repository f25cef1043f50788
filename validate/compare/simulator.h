// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "scenarios/schema/scenario.h"
#include "validate/compare/compare.h"

namespace gicsim::compare {

/// Turns what a map asks for into a scenario, as if its keys had been given by --set, and runs it.
/// @param root  the project's folder
/// @param run  builds the machine and runs the scenario to its end
Simulate simulator(std::string root, std::function<report::Finished(const schema::Scenario&)> run);

}  // namespace gicsim::compare
