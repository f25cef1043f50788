// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gicsim::cli {

/// The folder that holds scenarios/ and configs/: $GICSIM_ROOT, which the launcher sets, else the
/// one above the build tree that holds this program.
std::string project_root();

}  // namespace gicsim::cli
