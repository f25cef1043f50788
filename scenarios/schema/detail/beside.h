// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/schema/scenario.h"

namespace gicsim::schema::detail {

/// Gives the GPUs, and the GPU's side of libraries, what a kernel beside leaves of them; the table of parameters
/// keeps what they are alone.
void put_beside(SystemSpec& system);

}  // namespace gicsim::schema::detail
