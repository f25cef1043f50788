// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/payload.h"

#include <cstdio>

namespace gicsim::hw {

std::vector<std::uint8_t> payload(std::uint32_t seed, std::size_t bytes) {
  std::vector<std::uint8_t> made(bytes);
  std::uint64_t state = (static_cast<std::uint64_t>(seed) << 32U) | 0x9e3779b9U;
  for (std::uint8_t& byte : made) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<std::uint8_t>(state >> 56U);
  }
  return made;
}

std::string difference(const std::vector<std::uint8_t>& got, std::uint32_t seed) {
  const std::vector<std::uint8_t> wanted = payload(seed, got.size());
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = got.size(); i-- > 0;)
    if (got[i] != wanted[i]) ++wrong, first = i;
  if (wrong == 0) return {};
  char text[128];
  std::snprintf(text, sizeof text, "%zu of %zu bytes are wrong, the first at %zu: 0x%02x, not 0x%02x", wrong,
                got.size(), first, got[first], wanted[first]);
  return text;
}

}  // namespace gicsim::hw
