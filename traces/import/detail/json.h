// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "traces/import/detail/cells.h"
#include "traces/import/detail/found.h"
#include "traces/import/detail/input.h"
#include "traces/text/node.h"

namespace gicsim::imports::detail {

/// Begins like an object.
bool is_json(std::string_view head);
/// All that is left of a text as one tree, each value with its place. JSON is YAML but for tabs; names without quotes
/// and a comma behind the last member are read too.
/// @throws ConfigError
text::Node parse_json(Input& in);
/// A value as a table's cell; empty where it is null or no single value.
inline Cell cell_of(const text::Node& value) { return {value.value, value.at.column}; }

}  // namespace gicsim::imports::detail
