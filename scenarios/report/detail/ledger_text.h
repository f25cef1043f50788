// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/report/finished.h"

namespace gicsim::report::detail {

/// The stage ledger, the line that says whether it adds up, and the sum of each layer.
std::string ledger_text(const Finished& run);

/// Delivery and completion: what they share once, then both side by side from the fork on.
std::string fork_text(const Finished& run);

}  // namespace gicsim::report::detail
