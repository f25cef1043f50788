// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenarios/report/tlp_replay.h"
#include "scenarios/system/system.h"
#include "scenarios/whatif/tlp_plan.h"
#include "scenarios/whatif/tlp_player.h"

namespace gicsim::whatif {

report::Rows chain_rows(const TlpPlayer::Spent& spent);
/// Captured beside simulated, of each entry and kind of TLP.
std::vector<report::TlpClass> classes_of(const tlp::Requests& trace, const TlpPlan& plan, const TlpPlayer& player);
/// The same of each link and direction.
std::vector<report::TlpLink> links_of(const tlp::Requests& trace, const TlpStands& stands, const system::System& system,
                                      Picoseconds elapsed);

}  // namespace gicsim::whatif
