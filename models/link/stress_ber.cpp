// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/stress_ber.h"

#include <string>

namespace gicsim::link {

StressBer::StressBer(const StressParams& params, BitRate rate, std::uint64_t seed, std::string_view wire)
    : params_(params),
      fast_enough_(rate >= params.rate),
      before_(params.before),
      after_(params.after),
      random_(seed, std::string(wire) + ".stress"),
      good_(before_.draw(random_)) {}

bool StressBer::damages(const Packet& packet) {
  if (!fast_enough_) return false;
  if (packet.payload < params_.below && small_ <= params_.packets && ++small_ == params_.packets + 1)
    good_ = after_.draw(random_);
  const std::int64_t bits = packet.wire.count() * 8;
  const Geometric& now = small_ > params_.packets ? after_ : before_;
  const bool damaged = good_ < bits;
  while (good_ < bits) good_ += 1 + now.draw(random_);
  good_ -= bits;
  return damaged;
}

}  // namespace gicsim::link
