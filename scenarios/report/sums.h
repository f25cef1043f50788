// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/report/finished.h"

namespace gicsim::report {

/// The record of a quantity, if the run has one.
const Record* find(const Finished& run, Quantity quantity);

/// The pattern that ran; nothing when the run ended before it had a result.
std::optional<Pattern> pattern_of(const Finished& run);

/// The quantity that answers the scenario's question: a bandwidth run's own figure is the
/// bandwidth, though its ledger explains the put of one message.
const Record* answer(const Finished& run);

/// The headline in picoseconds, where the ledger has to add up to it: the representative message
/// is the one whose total is the p50. A throughput run explains a message in the middle instead.
std::optional<Picoseconds> figure_explained(const Finished& run);

/// What doesn't add up, one sentence each; empty in a run whose books balance. Checked: the rows
/// against the headline, the hops of a row against the row, a wait against its row.
std::vector<std::string> imbalances(const Finished& run);

}  // namespace gicsim::report
