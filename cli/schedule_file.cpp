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
#include "traces/fabric/flows.h"
#include "traces/schedule/goal.h"
#include "traces/schedule/jsonl.h"

namespace gicsim::cli {
namespace {

namespace fs = std::filesystem;

/// Nothing of what can't be opened: whoever reads it says why. Nor of a pipe, which is read once.
std::string begin_of(const std::string& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return {};
  std::ifstream in(file, std::ios::binary);
  std::string begin(64 << 10, '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(in.gcount()));
  return begin;
}

}  // namespace

std::unique_ptr<schedule::Source> open_schedule(const std::string& file) {
  const std::string begin = begin_of(file);
  if (schedule::looks_like_goal(begin) || schedule::looks_like_goal_binary(begin)) return schedule::read_goal(file);
  if (schedule::looks_like_schedule(begin)) return schedule::read_schedule(file);
  if (fabric::looks_like_htsim(begin)) return fabric::read_htsim(file);
  if (fabric::looks_like_ns3_flows(begin)) return fabric::read_ns3_flows(file);
  return nullptr;
}

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
