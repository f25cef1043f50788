// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/schema/scenario.h"
#include "traces/result/record.h"

namespace gicsim::whatif {

using Words = std::vector<std::pair<const char*, std::string>>;

/// The keys that mean something for the scenario's pattern.
Words pattern_keys(const schema::Scenario& scenario);
/// The keys that mean something on the scenario's path.
Words path_keys(const schema::Scenario& scenario);
/// What differs of its queues, and of how they are used, from the usual.
Words queue_keys(const schema::Scenario& scenario);
/// What runs meanwhile, and how WQEs are pushed: only keys that aren't off.
Words load_keys(const schema::Scenario& scenario);
/// The scenario's keys that say where a figure stands.
std::vector<std::pair<std::string, Record::Plain>> where(const schema::Scenario& scenario);

}  // namespace gicsim::whatif
