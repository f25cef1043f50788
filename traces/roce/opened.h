// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "models/base/errors.h"

namespace gicsim::roce {

/// A capture file.
/// @throws ConfigError when it can't be read
inline std::ifstream opened(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw ConfigError(Location{file}, "a directory; give a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw ConfigError(Location{file}, std::string("can't be read: ") + std::strerror(errno));
  return in;
}

}  // namespace gicsim::roce
