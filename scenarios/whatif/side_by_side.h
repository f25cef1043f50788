// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenarios/report/side_by_side.h"
#include "scenarios/schema/load.h"

namespace gicsim::whatif {

/// "all", or names with commas between them.
/// @throws ConfigError for a path that doesn't exist
std::vector<Path> paths_from(const std::string& names);

/// Runs a scenario, a name or a file with what --set gave, on each of the paths, and looks for the sizes at which the
/// order of two paths' headlines flips. Keys that only some paths know are left to these.
/// @throws ConfigError when none of the paths can express it, or a value can't be read
report::SideBySide side_by_side(const std::string& scenario, const std::vector<schema::Override>& set,
                                const std::vector<Path>& paths, const std::string& root);

/// The better of two at a size: negative: the first; zero: equal; nothing: not both are known.
using Order = std::function<std::optional<int>(Bytes bytes)>;

/// Asks at powers of eight, and between two that differ halves the exponents down to neighbouring powers of two.
/// Two flips between two powers of eight cancel out and stay unseen.
report::Crossover crossover(Path first, Path second, Bytes smallest, Bytes largest, const Order& order);

}  // namespace gicsim::whatif
