// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/result/record.h"

/// What other people's tools print, as records: perftest, NVSHMEM's perftest, nccl-tests, nvbandwidth, gdrcopy.
namespace gicsim::imports {

/// What the user says of a file, where the file doesn't.
struct Said {
  std::string system;
  std::optional<Pattern> pattern;  ///< of a table whose test or collective isn't named
  std::optional<Path> path;        ///< who initiates; else what the tool usually does
};

/// Lines, rows and figures that gave no record: why, how many, and the first one's line.
struct Left {
  std::string why;
  int line = 0;
  std::int64_t count = 0;
};

struct Imported {
  std::string_view format;
  std::int64_t records = 0;
  std::vector<Left> left;
};

using Sink = std::function<void(Record&&)>;

/// Finds the format by the first MiB and hands on records as they are read; text formats are read line by line.
/// Whoever keeps them drops them when this throws.
/// @param file  its name, for messages
/// @throws ConfigError with all mistakes, up to twenty
Imported read(std::istream& in, const std::string& file, const Said& said, const Sink& sink);

/// "lat.txt: perftest, 23 records", and a line for each reason why something was left out.
std::string to_text(const Imported& imported, const std::string& file);

}  // namespace gicsim::imports
