// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gicsim::cli {

/// @return "0.1.0", or "0.1.0+1a2b3c4d5e" where the build could ask git; written by
/// cmake/version.cmake
std::string_view version();

}  // namespace gicsim::cli
