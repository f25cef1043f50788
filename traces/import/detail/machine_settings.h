// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "traces/import/detail/machine_values.h"

namespace gicsim::imports::detail {

std::string one_line(std::string_view text);  ///< control characters as blanks
std::string quoted(std::string_view text);    ///< for YAML

/// "set:" of a system file: a line for all of a kind where they agree, else one each, with every origin.
/// @throws ConfigError  a key of the user's that names what isn't there
std::string settings_text(const MachineTree& tree, const MachineValues& values, const MachineSaid& said);

}  // namespace gicsim::imports::detail
