// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/base/random.h"
#include "models/units/probability.h"

namespace gicsim::pcie {

/// Where bits of a stream are wrong, each by itself: the good bits up to the next wrong one are drawn at once
/// (geometric, by its inverse), so that rare errors cost nothing in between.
class BitErrors {
 public:
  BitErrors(Probability bit, std::uint64_t seed, std::string_view who);

  /// The next `bits` of the stream pass. @return the place of the first wrong one, from 0
  std::optional<std::int64_t> first_in(std::int64_t bits) {
    if (good_ >= bits) [[likely]] {
      good_ -= bits;
      return std::nullopt;
    }
    return hit(bits);
  }

 private:
  std::int64_t draw();
  std::int64_t hit(std::int64_t bits);

  double rate_;  ///< -ln(1 - p)
  RandomStream random_;
  std::int64_t good_;
};

}  // namespace gicsim::pcie
