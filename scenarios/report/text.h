// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/report/finished.h"

namespace gicsim::report {

/// A run for a person: plain ASCII of its own, at most 100 columns. Opens with the answer in a
/// sentence (with the diagnosis, where the run ended otherwise than done), then what to beware of,
/// the ledger and whether it adds up, both paths from their fork on, what binds, the figures,
/// counters, where the values come from, how far from hardware, and what was asked.
std::string text(const Finished& run);

/// The same opening, then what ports and queue pairs counted.
std::string counters_text(const Finished& run);

}  // namespace gicsim::report
