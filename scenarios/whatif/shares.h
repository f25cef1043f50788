// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenarios/report/finished.h"
#include "scenarios/system/system.h"

namespace gicsim::whatif {

/// What a node's cores and GPU threads have done since the start.
struct NodeBusy {
  Count cores = 0, threads = 0;
  Picoseconds core{}, issuing{}, waiting{};
};
using Busy = std::vector<NodeBusy>;
Busy busy(const system::System& system);
/// What each node's did in `elapsed`, between `before` (empty: the start) and `after`.
std::vector<report::Share> shares(const Busy& before, const Busy& after, Picoseconds elapsed);

}  // namespace gicsim::whatif
