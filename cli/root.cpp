// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/root.h"

#include <cstdlib>
#include <filesystem>

namespace gicsim::cli {

std::string project_root() {
  if (const char* given = std::getenv("GICSIM_ROOT"); given != nullptr && *given != '\0')
    return given;
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path().string();
}

}  // namespace gicsim::cli
