// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/crc.h"

#include <array>

namespace gicsim::exports {
namespace {

/// x^32 is the coefficient left out; bit 31 stands for x^0, as octets go out least significant bit first.
constexpr std::uint32_t ethernet = 0xedb8'8320;
constexpr std::uint16_t infiniband = 0xd008;  ///< x^16 + x^12 + x^3 + x + 1

template <class Word>
using Table = std::array<Word, 256>;

/// What each octet leaves of the polynomial, eight bits later.
template <class Word>
constexpr Table<Word> table_of(Word polynomial) {
  Table<Word> table{};
  for (unsigned octet = 0; octet < table.size(); ++octet) {
    Word left = static_cast<Word>(octet);
    for (int bit = 0; bit < 8; ++bit) left = static_cast<Word>(left >> 1 ^ (left & 1 ? polynomial : 0));
    table[octet] = left;
  }
  return table;
}

template <class Word>
Word divide(const Table<Word>& table, Word state, std::string_view octets) {
  for (const char octet : octets)
    state = static_cast<Word>(table[(state ^ static_cast<std::uint8_t>(octet)) & 0xff] ^ state >> 8);
  return state;
}

constexpr auto of_ethernet = table_of(ethernet);
constexpr auto of_infiniband = table_of(infiniband);

}  // namespace

Crc32& Crc32::add(std::string_view octets) {
  state_ = divide(of_ethernet, state_, octets);
  return *this;
}

std::uint16_t vcrc(std::string_view octets) {
  return static_cast<std::uint16_t>(~divide(of_infiniband, std::uint16_t{0xffff}, octets));
}

}  // namespace gicsim::exports
