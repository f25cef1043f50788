// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/kernel.h"
#include "scenarios/report/finished.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/whatif/exports.h"

namespace gicsim::whatif {

struct RunOptions {
  bool gain = true;  ///< a second run with the binding resource twice as fast
  Kernel::Steps steps = Kernel::Steps::run_ahead;
  Exporters exporters{};  ///< hear the run that is reported, not the one of `gain`
};

/// Builds the scenario's system in a context of its own, runs its pattern, and hands out plain
/// values. A run that can't end is stuck, not an error.
/// @throws ModelError when a model breaks a rule of its own or the books don't balance
report::Finished run_scenario(const schema::Scenario& scenario, const RunOptions& options = {});

/// Every TLP and packet of one message after the warm-up, a line each:
/// "node0.gpu0_pcie_up MWr 8 B at 0.000 ns".
std::vector<std::string> traffic(const schema::Scenario& scenario);

}  // namespace gicsim::whatif
