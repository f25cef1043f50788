// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/report/finished.h"

namespace gicsim::report {

/// A run as `gicsim.report/1`: one indented JSON object, ending in a newline. Times are whole
/// picoseconds, fields stand in the format's order and are always there (null: not known), so
/// equal runs give equal bytes. Wall time and events are left to run.json, as they may differ.
std::string json(const Finished& run);

}  // namespace gicsim::report
