// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "hw_backend/doctor/check.h"
#include "hw_backend/doctor/saved.h"

namespace gicsim::hw::checkup {

/// What --from found in the folder, and what each file is good for.
void print_files(const std::vector<SavedFile>& files, std::ostream& out);
/// One line a check; what stands behind a warning or a failure indented under it. Returns the exit code.
int print_report(const Evidence& e, std::ostream& out);
/// The checks that a message of some program points to. Returns the exit code.
int explain(const std::string& message, std::ostream& out);

}  // namespace gicsim::hw::checkup
