// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>

#include "models/units/time.h"

namespace gicsim::attach::detail {

inline Picoseconds picoseconds(const sc_core::sc_time& t) {
  return Picoseconds{static_cast<std::int64_t>(t.value())};
}

/// What a watched line holds is the eight bytes at its address, the lowest first.
inline constexpr std::size_t word_size = 8;
/// Watched lines of one access lie this far apart.
inline constexpr std::size_t line_size = 64;

inline std::uint64_t word_from(const unsigned char* bytes, std::size_t count) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < count && i < word_size; ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
  return word;
}

inline void put_word(std::uint64_t word, unsigned char* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count && i < word_size; ++i) bytes[i] = static_cast<unsigned char>(word >> (8 * i));
}

}  // namespace gicsim::attach::detail
