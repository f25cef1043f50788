// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands.h"

namespace gicsim::cli {

/// Reads the command line.
/// @throws ConfigError for what it doesn't know, with a hint
Command parse(int argc, const char* const* argv);

}  // namespace gicsim::cli
