// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "scenarios/report/finished.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::whatif {

/// What binds a run: of a latency the largest stage, of a throughput the busiest resource of the
/// `elapsed` time.
std::optional<report::Bound> bound(const report::Finished& finished, const schema::Scenario& scenario,
                                   const system::System& system, Picoseconds elapsed);

/// Makes the binding resource twice as fast. @return what was changed; empty: nothing to widen
std::string widen(schema::Scenario& scenario, const report::Bound& bound);

/// By which fraction the headline improves: a latency falls, a rate rises.
double improvement(double before, double after, Quantity headline);

}  // namespace gicsim::whatif
