// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/replay_timer.h"

namespace gicsim::pcie {
namespace {

constexpr Picoseconds symbol(Count generation) {
  constexpr Picoseconds times[] = {4ns, 2ns, 1ns, 500_ps, 250_ps};
  return times[generation - 1];
}

/// TLPs that an Ack may wait for, in tenths.
constexpr Count ack_factor(Count lanes, Bytes max_payload) {
  if (max_payload < 512_B) return lanes < 8 ? 14 : lanes < 12 ? 25 : 30;
  return lanes < 12 ? 10 : 20;
}

}  // namespace

Picoseconds replay_timer_limit(Count generation, Count lanes, Bytes max_payload) {
  if (generation >= 4) return 24'000 * symbol(generation);
  constexpr Bytes overhead = 28_B;
  constexpr Count internal_delays[] = {19, 70, 115};
  const Count tenths = (max_payload + overhead).count() * ack_factor(lanes, max_payload);
  const Count ack_limit = tenths / (10 * lanes) + internal_delays[generation - 1];
  return 3 * ack_limit * symbol(generation);
}

}  // namespace gicsim::pcie
