// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "traces/schedule/step.h"

namespace gicsim {

/// A fact: a step of a schedule that is replayed has ended.
struct StepPlayed {
  std::size_t rank;
  const schedule::Step& step;  ///< as the trace has it
  Picoseconds began, ended;    ///< in the replay
};

}  // namespace gicsim
