// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/mechanisms/geometric.h"

namespace gicsim::pcie {

/// Where bits of a stream are wrong, each by itself.
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
  std::int64_t hit(std::int64_t bits);

  Geometric good_bits_;
  RandomStream random_;
  std::int64_t good_;  ///< up to the next wrong one
};

}  // namespace gicsim::pcie
