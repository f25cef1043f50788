// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "traces/schedule/source.h"

/// A trace of whatever format, by what is in it.
namespace gicsim::traces {

struct Opened {
  std::unique_ptr<schedule::Source> source;
  bool inferred = false;  ///< its needs are guesses, which its times don't need
  std::vector<std::pair<std::string, std::string>> suits;  ///< scenario keys that play it as it was
};

/// How a format spreads over files.
enum class Shape { capture, one_file, file_a_rank };
/// By a file's beginning. @return none: it can't be read, or read twice, or nothing fits
std::optional<Shape> shape_of(const std::string& file);

/// @param files  one, or a file a rank where the format has it so
/// @throws ConfigError for what no reader knows, and what the reader throws
Opened open(const std::vector<std::string>& files);

}  // namespace gicsim::traces
