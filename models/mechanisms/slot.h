// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/units/time.h"

namespace gicsim {

/// When a resource works for one request.
struct Slot {
  Picoseconds start;
  Picoseconds end;
  constexpr bool operator==(const Slot&) const = default;
};

}  // namespace gicsim
