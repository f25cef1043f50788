// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/schema/detail/given.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::schema::detail {

/// Reads the scenario's `fault`, which stands at `at`, into its system's faults.
void read_faults(Scenario& scenario, const Location& at, Mistakes& mistakes);

}  // namespace gicsim::schema::detail
