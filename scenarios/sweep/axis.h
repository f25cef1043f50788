// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/block.h"

/// One scenario at many points: every combination of the values of its axes, each run in a process of its own.
namespace gicsim::sweep {

/// A key, as for --set, and the values that it takes in turn.
struct Axis {
  std::string key;
  std::vector<std::string> values;
};

/// Reads KEY=VALUES: a list `8 B,1 KiB`, or a range by factor `8 B..1 MiB:*2` or by step `100 ns..400 ns:+50 ns`. A
/// range begins with its first value and ends with the last one that isn't beyond its second.
/// @throws ConfigError
Axis axis_from(const std::string& argument);

/// A number with its unit, whatever quantity that makes it.
struct Amount {
  schema::Type type = schema::Type::count;
  std::int64_t value = 0;  ///< in the quantity's own unit
  std::string (*write)(std::int64_t) = nullptr;
};
/// Nothing for a word.
std::optional<Amount> amount(std::string_view text);

}  // namespace gicsim::sweep
