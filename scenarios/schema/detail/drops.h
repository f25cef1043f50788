// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/schema/detail/given.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::schema::detail {

/// Reads the scenario's `drop`, which stands at `at`, into its system's drops.
void read_drops(Scenario& scenario, const Location& at, Mistakes& mistakes);

}  // namespace gicsim::schema::detail
