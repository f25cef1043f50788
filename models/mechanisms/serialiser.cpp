// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/serialiser.h"

#include <limits>
#include <numeric>

#include "models/base/errors.h"
#include "models/units/text.h"

namespace gicsim {

Serialiser::Serialiser(BitRate rate) {
  if (rate.bits_per_second() <= 0)
    throw ModelError("serialiser", Picoseconds{0}, "rate " + text::write(rate));
  const auto per_second = static_cast<std::uint64_t>(rate.bits_per_second());
  constexpr std::uint64_t bits = 8 * std::uint64_t{detail::picoseconds_per_second};
  const std::uint64_t common = std::gcd(bits, per_second);
  up_ = bits / common;
  down_ = per_second / common;
  short_ = (std::numeric_limits<std::uint64_t>::max() - down_) / up_;
}

void Serialiser::advance_far(std::uint64_t bytes) {
  const detail::Wide total =
      static_cast<detail::Wide>(bytes) * static_cast<detail::Wide>(up_) + rest_;
  whole_ += Picoseconds{static_cast<std::int64_t>(total / down_)};
  rest_ = static_cast<std::uint64_t>(total % down_);
}

}  // namespace gicsim
