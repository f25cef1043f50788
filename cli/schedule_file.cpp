// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/schedule_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "models/base/errors.h"
#include "traces/schedule/goal.h"
#include "traces/schedule/jsonl.h"

namespace gicsim::cli {
namespace fs = std::filesystem;

std::string write_as(const std::string& format, schedule::Source& source, std::ostream& out, bool puts) {
  if (format == "jsonl") {
    schedule::write_schedule(source, out);
    return {};
  }
  if (format != "goal")
    throw ConfigError(Location{"gicsim"}, "--format: '" + format + "' isn't known; write goal or jsonl");
  std::string text;
  for (const schedule::Unused& lost : schedule::write_goal(source, out, puts))
    text += fmt::format("{}GOAL can't say all: {}: {} times, first at step {}", text.empty() ? "" : "\n", lost.why,
                        lost.count, lost.first);
  return text;
}

void write_stream(const std::optional<std::string>& file, const std::function<void(std::ostream&)>& write) {
  if (!file) {
    std::ostream out(std::cout.rdbuf());
    out.exceptions(std::ios::badbit);
    try {
      write(out);
      out.flush();
    } catch (const std::ios_base::failure&) {
      if (errno != EPIPE) throw HardwareError(fmt::format("standard output: {}", std::strerror(errno)));
    }  // else whoever read it has gone (`| head`)
    return;
  }
  const std::string unfinished = *file + ".unfinished";
  try {
    std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
    if (!out) throw HardwareError(fmt::format("{}: {}", *file, std::strerror(errno)));
    write(out);
    out.close();
    if (!out) throw HardwareError(fmt::format("{}: {}", *file, std::strerror(errno)));
    fs::rename(unfinished, *file);
  } catch (...) {
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    throw;
  }
}

}  // namespace gicsim::cli
