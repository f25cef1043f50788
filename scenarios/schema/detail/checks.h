// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>

#include "scenarios/schema/detail/given.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::schema::detail {

using Keys = std::map<std::string, Given, std::less<>>;  ///< the scenario keys that were given

/// What no single value shows: contradictions become mistakes, what changes nothing a warning.
/// Settles the payload when the scenario leaves it out.
void check(Scenario& scenario, const Keys& keys, const std::deque<Given>& set, Mistakes& mistakes);

/// Credits and buffers that a single TLP can't fit would stop the run for ever.
void check_ports(const Scenario& scenario, Mistakes& mistakes);

/// Why a value of a cable's codes, bursts or retry changes nothing; empty: it may.
std::string idle_cable_value(const std::string& key, const SystemSpec& system);

}  // namespace gicsim::schema::detail
