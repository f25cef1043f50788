// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "models/base/errors.h"
#include "traces/stream/unpacked.h"

namespace gicsim::roce {

/// A capture file, gzipped or not.
/// @throws ConfigError when it can't be read
inline stream::Unpacked opened(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw ConfigError(Location{file}, "a directory; give a file");
  if (!std::ifstream(file, std::ios::binary))
    throw ConfigError(Location{file}, std::string("can't be read: ") + std::strerror(errno));
  return stream::Unpacked(file);
}

}  // namespace gicsim::roce
