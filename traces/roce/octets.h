// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gicsim::roce {

using Octets = std::span<const std::uint8_t>;

/// `n` octets, most significant first, as networks have them. Whoever asks has made sure that they are there.
inline std::uint64_t big(Octets octets, std::size_t at, std::size_t n) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < n; ++i) value = value << 8 | octets[at + i];
  return value;
}
inline std::uint64_t little(Octets octets, std::size_t at, std::size_t n) {
  std::uint64_t value = 0;
  for (std::size_t i = n; i-- > 0;) value = value << 8 | octets[at + i];
  return value;
}
inline std::uint16_t big16(Octets octets, std::size_t at) { return static_cast<std::uint16_t>(big(octets, at, 2)); }
inline std::uint32_t big24(Octets octets, std::size_t at) { return static_cast<std::uint32_t>(big(octets, at, 3)); }
inline std::uint32_t big32(Octets octets, std::size_t at) { return static_cast<std::uint32_t>(big(octets, at, 4)); }
inline std::uint64_t big64(Octets octets, std::size_t at) { return big(octets, at, 8); }

}  // namespace gicsim::roce
