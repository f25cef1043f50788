// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/schema/detail/files.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::schema::detail {

/// Reads a system's `tree`. Numbers of a kind count from 0 without gaps; every parent exists, and
/// every way up ends in a root complex of a socket that the node has.
Tree read_tree(const SystemFile& system, Mistakes& mistakes);
/// The same text again: "switch0: root0, gpu0: switch0".
std::string tree_text(const std::vector<Plug>& plugs);

/// `flows`: GPU-NIC pairs that the machine has.
void read_flows(Scenario& scenario, const Location& at, Mistakes& mistakes);

}  // namespace gicsim::schema::detail
