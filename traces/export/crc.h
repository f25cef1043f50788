// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace gicsim::exports {

/// CRC-32 as Ethernet's FCS and the ICRC have it: of all octets that were added, in order.
/// Source: IEEE 802.3, 3.2.9; InfiniBand 1.5, 7.8.1
class Crc32 {
 public:
  Crc32& add(std::string_view octets);
  std::uint32_t value() const { return ~state_; }  ///< goes out least significant octet first

 private:
  std::uint32_t state_ = ~0u;
};

/// The variant CRC of an InfiniBand packet, from its LRH up to and with its ICRC; least significant octet first, too.
/// Source: InfiniBand 1.5, 7.8.2
std::uint16_t vcrc(std::string_view octets);

}  // namespace gicsim::exports
