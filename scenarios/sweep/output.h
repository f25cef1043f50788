// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/sweep/sweep.h"

namespace gicsim::sweep {

/// JSON Lines: of each point its gicsim.result/1, whose `where` holds the varied keys too, or one gicsim.failure/1.
std::string records(const Swept& swept);

/// RFC 4180: a row a point, a column an axis and a quantity, its unit in the name.
std::string csv(const Swept& swept);

/// For a person: a line a point with its headline, then what to know.
std::string table(const Swept& swept);

}  // namespace gicsim::sweep
