// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/units/probability.h"

namespace gicsim::host {

/// What others want of each core: a share of its time, on the core itself or on its other hardware thread.
struct CpuLoad {
  Probability share{};
  bool sibling = false;
};

}  // namespace gicsim::host
