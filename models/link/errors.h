// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/link/error_params.h"
#include "models/link/stress_ber.h"

namespace gicsim::link {

/// What may be wrong with a cable, and what its ends do about it; both directions alike, all off by default.
struct Errors {
  BurstParams burst;
  FecParams fec;
  RetryParams retry;
  StressParams stress;
};

}  // namespace gicsim::link
