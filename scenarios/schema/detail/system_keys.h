// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "scenarios/schema/detail/files.h"
#include "scenarios/schema/detail/given.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::schema::detail {

/// `system.nodes` and the like, from a scenario's `set:` or from --set: gives them to the system and
/// takes them out of `set`.
void take_system_keys(SystemFile& system, std::deque<Given>& set, Mistakes& mistakes);
/// Keys that contradict each other. They are set right, so that the rest can be read.
void check_keys(SystemFile& system, Mistakes& mistakes);
/// Devices in sockets that their node doesn't have.
void check_slots(const Scenario& scenario, Mistakes& mistakes);

}  // namespace gicsim::schema::detail
