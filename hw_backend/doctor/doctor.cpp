// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "hw_backend/core/commands.h"

namespace gicsim::hw {

int doctor(const Options&, std::ostream&) { return 0; }

}  // namespace gicsim::hw
