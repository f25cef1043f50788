// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/link_retry.h"

#include <algorithm>

namespace gicsim::link {

Picoseconds LinkRetry::room_at(Bytes wire, Picoseconds t) {
  const Picoseconds asked = t;
  while (!kept_.empty() && (kept_.front().until <= t || inside_ + in_cells(wire) > params_.buffer)) {
    t = std::max(t, kept_.front().until);
    inside_ -= kept_.front().cells;
    kept_.pop_front();
  }
  stats_.buffer_wait += t - asked;
  return t;
}

void LinkRetry::keep(Bytes wire, Picoseconds end) {
  kept_.push_back({end + round_trip_, in_cells(wire)});
  inside_ += in_cells(wire);
  stats_.buffer_peak = std::max(stats_.buffer_peak, inside_);
}

}  // namespace gicsim::link
