// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/units/time.h"

namespace gicsim {

/// A resource that is there and away by turns, as a core that a scheduler gives to others too: `run` there,
/// `away` gone, for ever; it costs no events.
///
/// Closed form: work that starts at phase 0 <= f < run ends after w + away * floor((f + w) / run), but
/// work that ends with its slice ends there.
class TimeSlices {
 public:
  /// Always there.
  constexpr TimeSlices() = default;
  /// @param phase  how far in its period it is at time 0
  constexpr TimeSlices(Picoseconds run, Picoseconds away, Picoseconds phase) : run_(run), away_(away), phase_(phase) {}

  /// When work can begin that is there at `now`.
  constexpr Picoseconds next(Picoseconds now) const {
    if (away_ == Picoseconds{}) return now;
    const Picoseconds in = (now + phase_) % (run_ + away_);
    return in < run_ ? now : now + run_ + away_ - in;
  }
  /// When `work` is done that begins at next(now).
  constexpr Picoseconds end(Picoseconds now, Picoseconds work) const {
    const Picoseconds start = next(now);
    if (away_ == Picoseconds{} || work == Picoseconds{}) return start + work;
    const Picoseconds in = (start + phase_) % (run_ + away_);
    return start + work + away_ * ((in + work - Picoseconds{1}) / run_);
  }

 private:
  Picoseconds run_{1}, away_{}, phase_{};
};

}  // namespace gicsim
