// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/report/finished.h"

namespace gicsim::report {

/// The folder of `-o DIR`. A file in it is either whole or not there: each is written under a
/// temporary name beside its own, flushed to the device, then renamed; and all are complete before
/// the first is renamed. Signals that end a program are held back meanwhile, so that Ctrl-C can't
/// fall in between.
class OutDir {
 public:
  /// Makes the folder, parents included, and sees that it can be written to: before a long run.
  /// @throws HardwareError
  explicit OutDir(std::filesystem::path folder);

  using Files = std::vector<std::pair<std::string, std::string>>;
  /// Writes files, each a name and its content.
  /// @throws HardwareError  nothing half-written stays behind
  void write(const Files& files) const;

  /// @param config  the resolved scenario as YAML, every value with its source
  /// Writes report.json, config.yaml and run.json (all that may differ between equal runs).
  /// @throws HardwareError  nothing half-written stays behind
  void write(const Finished& run, const std::string& config) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace gicsim::report
