// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/machine.h"

namespace gicsim::hw {

void find_nics(Machine& machine) {
  machine.no_nic = "this program was built without verbs (libibverbs-dev was not found)";
}

}  // namespace gicsim::hw
