// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "traces/roce/capture.h"

namespace gicsim::roce {

/// An IP address; of IPv4 the first four octets count. Within an InfiniBand subnet a LID, in the first two.
struct IpAddress {
  bool v6 = false, lid = false;
  std::array<std::uint8_t, 16> octets{};
  auto operator<=>(const IpAddress&) const = default;
};
std::string to_text(const IpAddress& address);

/// A UDP datagram to RoCEv2's port, or an InfiniBand packet.
struct Datagram {
  IpAddress from, to;
  std::uint16_t source_port = 0;
  std::uint16_t identification = 0;  ///< of IPv4
  std::uint8_t ecn = 0;              ///< 3: congestion experienced
  std::uint32_t length = 0;          ///< UDP's payload on the wire, from the BTH up to and with the ICRC
  Octets payload;                    ///< what was captured of that
  Octets network;                    ///< what was captured from the IP header (LRH) on, up to the ICRC's end
  std::uint32_t udp = 0;             ///< where in `network` the UDP header is
  bool infiniband = false;
};

/// Why a frame isn't used.
struct Unused {
  std::string_view why;
};

inline constexpr std::uint16_t roce_port = 4791;
inline constexpr std::string_view roce_v1 = "RoCEv1 (Ethertype 0x8915): recognised, not read";

constexpr bool is_roce(std::uint16_t port) { return port == roce_port; }
/// Ethernet with VLAN tags, Linux's cooked captures or bare IP; IPv4, IPv6 with its extension headers; UDP. InfiniBand
/// from the LRH on, by itself or in ERF records of type 21.
/// @param wanted  whether a datagram to that port is looked for
std::variant<Datagram, Unused> dissect(const Frame& frame, bool (*wanted)(std::uint16_t port) = is_roce);

}  // namespace gicsim::roce
