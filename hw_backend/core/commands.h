// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "hw_backend/core/options.h"

namespace gicsim::hw {

/// Each returns the exit code.
int list(std::ostream& out);
int run(const Options& options, std::ostream& progress);
int doctor(const Options& options, std::ostream& out);

}  // namespace gicsim::hw
