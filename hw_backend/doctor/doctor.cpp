// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "hw_backend/core/commands.h"
#include "hw_backend/doctor/live.h"
#include "hw_backend/doctor/report.h"

namespace gicsim::hw {

int doctor(const Options& options, std::ostream& out) {
  if (!options.explain.empty()) return checkup::explain(options.explain, out);
  if (options.from.empty()) return checkup::print_report(checkup::collect(), out);
  std::vector<checkup::SavedFile> files;
  const checkup::Evidence evidence = checkup::read_saved(options.from, files);
  checkup::print_files(files, out);
  return checkup::print_report(evidence, out);
}

}  // namespace gicsim::hw
