// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "traces/import/detail/machine_tree.h"

namespace gicsim::imports::detail {

/// GPUs in order of their addresses; each takes the nearest NIC that is left, so that gpu0 and nic0 belong together.
void name_nodes(MachineTree& tree);
/// Leaves out, and says so, what a system file has no room for: the seventeenth of a kind. Switches with nothing below
/// go, and so do further ones, the deepest first; what they held hangs one level higher.
void keep_modelled(MachineTree& tree, MachineFacts& facts);

}  // namespace gicsim::imports::detail
