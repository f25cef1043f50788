// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "traces/import/detail/machine_values.h"

namespace gicsim::imports::detail {

/// The system file: keys, tree, parts, values with their origins; what is no key as comments.
/// @throws ConfigError  a key of `set` that names what isn't there
std::string machine_yaml(const MachineTree& tree, const MachineValues& values, const MachineFacts& facts,
                         const MachineSaid& said, const std::vector<std::string>& files);

/// Says what else deserves a look: virtual machines, windows, missing bridges, settings that aren't modelled.
void check_machine(const MachineTree& tree, MachineFacts& facts);

}  // namespace gicsim::imports::detail
