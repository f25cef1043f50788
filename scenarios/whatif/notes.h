// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenarios/report/finished.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

/// What a report says beside its figures, from what the machine counted.
namespace gicsim::whatif {

/// The posting queue pairs of each flow.
using Flows = std::vector<std::vector<system::Queue>>;

void say_pauses(report::Finished& finished, const system::System& system);
void say_resends(report::Finished& finished, const schema::Scenario& scenario, const system::System& system);
void say_dropped(report::Finished& finished, const system::System& system);
void say_refused(report::Finished& finished, const system::System& system);
void say_blocked(report::Diagnosis& diagnosis, const system::System& system);
void say_verbs(report::Finished& finished, const std::vector<nic::Failure>& failures);
void say_fabric(report::Finished& finished, const schema::Scenario& scenario, const system::System& system, const Flows& flows);
void tell_flows(report::Finished& finished, const schema::Scenario& scenario, const Flows& flows);

}  // namespace gicsim::whatif
