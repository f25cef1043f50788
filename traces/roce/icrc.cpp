// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/icrc.h"

#include <array>

namespace gicsim::roce {
namespace {

/// CRC-32 of IEEE 802.3, least significant bit first, sixteen values a table: a nibble at a time.
constexpr std::array<std::uint32_t, 16> table = [] {
  std::array<std::uint32_t, 16> all{};
  for (std::uint32_t i = 0; i < 16; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 4; ++bit) value = value & 1 ? value >> 1 ^ 0xedb8'8320 : value >> 1;
    all[i] = value;
  }
  return all;
}();

constexpr std::uint32_t add(std::uint32_t crc, std::uint8_t octet) {
  crc ^= octet;
  crc = crc >> 4 ^ table[crc & 15];
  return crc >> 4 ^ table[crc & 15];
}

/// Octets that routers change: ToS, TTL and header checksum of IPv4; traffic class, flow label and hop limit of IPv6;
/// the checksum of UDP; the octet of the BTH with FECN and BECN.
std::uint8_t mask(std::size_t i, bool v6, std::size_t udp) {
  if (i == udp + 6 || i == udp + 7 || i == udp + 12) return 0xff;
  if (!v6) return i == 1 || i == 8 || i == 10 || i == 11 ? 0xff : 0;
  if (i == 0) return 0x0f;
  return i == 1 || i == 2 || i == 3 || i == 7 ? 0xff : 0;
}

}  // namespace

std::uint32_t icrc(Octets network, std::uint32_t udp) {
  const bool v6 = network[0] >> 4 == 6;
  std::uint32_t crc = ~0u;
  for (int i = 0; i < 8; ++i) crc = add(crc, 0xff);
  const std::size_t headers = std::size_t{udp} + 8 + 12;
  for (std::size_t i = 0; i < network.size(); ++i)
    crc = add(crc, i < headers ? network[i] | mask(i, v6, udp) : network[i]);
  return ~crc;
}

/// Switches change the virtual lane; routers all of the LRH, and the GRH's traffic class, flow label and hop limit.
std::uint32_t icrc_infiniband(Octets packet) {
  const bool global = (packet[1] & 3) == 3;
  const std::size_t bth = global ? 48 : 8;
  std::uint32_t crc = ~0u;
  for (std::size_t i = 0; i < packet.size(); ++i) {
    std::uint8_t changes = 0;
    if (i == bth + 4) changes = 0xff;
    else if (!global) changes = i == 0 ? 0xf0 : 0;
    else if (i < 8 || (i > 8 && i < 12) || i == 15) changes = 0xff;
    else if (i == 8) changes = 0x0f;
    crc = add(crc, packet[i] | changes);
  }
  return ~crc;
}

std::optional<bool> icrc_right(const Datagram& datagram) {
  if (datagram.payload.size() < datagram.length || datagram.length < 16) return std::nullopt;
  const Octets covered = datagram.network.first(datagram.network.size() - 4);
  const std::uint32_t right = datagram.infiniband ? icrc_infiniband(covered) : icrc(covered, datagram.udp);
  return right == little(datagram.network, covered.size(), 4);
}

}  // namespace gicsim::roce
