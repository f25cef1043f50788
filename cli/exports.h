// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "cli/commands.h"
#include "scenarios/report/out_dir.h"
#include "scenarios/whatif/run.h"
#include "traces/export/exporter.h"

namespace gicsim::cli {

/// The files of `--export` in the folder of `-o`, and that of `--tlp-log`: each whole or not there, written of a run
/// that got stuck or broke off, too.
class Exported {
 public:
  /// Whatever can't be is said before the run.
  explicit Exported(const Run& command);
  whatif::Exporters heard() const;
  void write();

 private:
  struct Place {
    std::filesystem::path folder;
    report::OutDir out;
    const char* limit;  ///< the option that sets it
    std::vector<std::unique_ptr<exports::Exporter>> exporters{};
  };
  std::deque<Place> places_;
};

/// Runs, and writes; of a run that breaks off what led there.
report::Finished run_exported(const schema::Scenario& scenario, Exported& exported);

}  // namespace gicsim::cli
