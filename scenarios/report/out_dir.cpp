// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/out_dir.h"

#include <unistd.h>

#include <deque>
#include <nlohmann/json.hpp>
#include <system_error>

#include "models/base/errors.h"
#include "scenarios/report/detail/pending_file.h"
#include "scenarios/report/json.h"

namespace gicsim::report {
namespace {

std::string run_json(const Finished& run) {
  const double rate = run.wall_seconds > 0 ? static_cast<double>(run.events) / run.wall_seconds : 0;
  const nlohmann::ordered_json facts = {
      {"schema", "gicsim.run/1"},         {"version", run.version}, {"scenario", run.scenario},
      {"wall_seconds", run.wall_seconds}, {"events", run.events},   {"events_per_second", rate}};
  return facts.dump(2) + "\n";
}

}  // namespace

OutDir::OutDir(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error)
    throw HardwareError(folder_.string() + ": cannot make this folder: " + error.message());
  if (!std::filesystem::is_directory(folder_, error))
    throw HardwareError(folder_.string() + ": not a folder");
  if (::access(folder_.c_str(), W_OK | X_OK) != 0)
    throw HardwareError(folder_.string() + ": no right to write here");
}

void OutDir::write(const Files& files) const {
  const detail::SignalsHeld held;
  std::deque<detail::PendingFile> pending;
  for (const auto& [name, content] : files) pending.emplace_back(folder_ / name, content);
  for (detail::PendingFile& file : pending) file.publish();
  detail::flush_folder(folder_);
}

void OutDir::write(const Finished& run, const std::string& config) const {
  write({{"report.json", json(run)}, {"config.yaml", config}, {"run.json", run_json(run)}});
}

}  // namespace gicsim::report
