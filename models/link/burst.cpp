// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/burst.h"

#include <string>

namespace gicsim::link {

Burst::Burst(const BurstParams& params, std::uint64_t seed, std::string_view wire)
    : good_{Geometric(params.to_bad), Geometric(params.loss_good)},
      bad_{Geometric(params.to_good), Geometric(params.loss_bad)},
      random_(seed, std::string(wire) + ".burst") {
  enter(false);
}

void Burst::enter(bool bad) {
  is_bad_ = bad;
  const State& state = bad ? bad_ : good_;
  stays_ = state.leave.draw(random_);
  keeps_ = state.lose.draw(random_);
  stats_.bursts += bad;
}

bool Burst::takes() {
  const bool lost = keeps_ == 0;
  if (lost) keeps_ = (is_bad_ ? bad_ : good_).lose.draw(random_);
  else --keeps_;
  stats_.bad += is_bad_;
  stats_.lost += lost;
  if (stays_ == 0) enter(!is_bad_);
  else --stays_;
  return lost;
}

}  // namespace gicsim::link
