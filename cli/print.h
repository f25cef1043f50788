// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gicsim::cli {

/// Writes to standard output. A reader that has gone (`gicsim list | head -1`) is no error.
/// @throws HardwareError  a full disk, say
void print(std::string_view text);

/// Writes to standard error as it is.
void murmur(std::string_view text);

/// Writes lines to standard error, each with its newline.
void complain(std::string_view lines);

}  // namespace gicsim::cli
