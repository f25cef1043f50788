// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/units/bit_rate.h"
#include "models/units/time.h"

/// Blocks of a pcapng file. Source: draft-ietf-opsawg-pcapng
namespace gicsim::exports::pcapng {

enum class Link : std::uint16_t { ethernet = 1, erf = 197 };
enum class Direction : std::uint32_t { unknown, inbound, outbound };

/// Ticks a stamp counts.
enum class Resolution : std::uint8_t { nanoseconds = 9, picoseconds = 12 };
/// Wireshark up to 4.0 works fractions of a second out in 64 bits, nanoseconds times ticks: picoseconds overflow.
inline constexpr Picoseconds longest_in_picoseconds{18'000'000'000};

struct Interface {
  std::string name, description;
  Link link = Link::ethernet;
  BitRate rate;
  std::uint64_t mac = 0;    ///< 0: none, likewise
  std::uint32_t ipv4 = 0;
};

std::string section(std::string_view comment);
std::string interface(const Interface& of, Resolution resolution);
/// With no stamp yet.
std::string packet(std::uint32_t interface, std::string_view frame, Direction direction, std::string_view comment);
/// Octets that a block takes.
std::size_t length(const char* block);
void stamp(char* packet, Picoseconds at, Resolution resolution);
std::string statistics(std::uint32_t interface, Picoseconds at, Resolution resolution, std::uint64_t received,
                       std::uint64_t dropped);

}  // namespace gicsim::exports::pcapng
