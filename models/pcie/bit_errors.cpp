// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/bit_errors.h"

namespace gicsim::pcie {

BitErrors::BitErrors(Probability bit, std::uint64_t seed, std::string_view who)
    : good_bits_(bit), random_(seed, who), good_(good_bits_.draw(random_)) {}

std::int64_t BitErrors::hit(std::int64_t bits) {
  const std::int64_t first = good_;
  std::int64_t at = first;
  while (at < bits) at += 1 + good_bits_.draw(random_);
  good_ = at - bits;
  return first;
}

}  // namespace gicsim::pcie
