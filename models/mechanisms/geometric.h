// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/base/random.h"
#include "models/units/probability.h"

namespace gicsim {

/// How many misses there are before the next hit, of things that hit with probability p each: drawn at once, by the
/// distribution's inverse, so that rare hits cost nothing in between. As it has no memory, whoever doesn't look for a
/// while may draw anew.
///
/// Closed form: (1 - p) / p misses on average.
class Geometric {
 public:
  /// What never hits is never reached: a month at 2 Tb/s holds fewer bits.
  static constexpr std::int64_t never = 9'000'000'000'000'000'000;

  explicit Geometric(Probability p);
  std::int64_t draw(RandomStream& random) const;

 private:
  double rate_;  ///< -ln(1 - p)
};

}  // namespace gicsim
