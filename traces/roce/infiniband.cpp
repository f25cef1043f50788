// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/infiniband.h"

#include <algorithm>

namespace gicsim::roce {
namespace {

constexpr std::string_view cut = "cut off before the end of its headers";
constexpr std::size_t lrh = 8, grh = 40;

IpAddress lid(std::uint16_t number) {
  IpAddress address{.lid = true};
  address.octets[0] = static_cast<std::uint8_t>(number >> 8);
  address.octets[1] = static_cast<std::uint8_t>(number);
  return address;
}

IpAddress gid(Octets octets) {
  IpAddress address{.v6 = true};
  std::copy(octets.begin(), octets.end(), address.octets.begin());
  return address;
}

}  // namespace

std::variant<Datagram, Unused> dissect_infiniband(Octets packet) {
  if (packet.size() < lrh) return Unused{cut};
  const std::uint8_t next = packet[1] & 3;
  if (next < 2) return Unused{"a raw packet of InfiniBand"};
  const std::size_t bth = next == 3 ? lrh + grh : lrh;
  const std::size_t end = (big16(packet, 4) & 0x7ffu) * 4;
  if (end < bth) return Unused{"an LRH with a length that can't be"};
  if (packet.size() < bth) return Unused{cut};
  Datagram datagram;
  datagram.infiniband = true;
  datagram.from = next == 3 ? gid(packet.subspan(lrh + 8, 16)) : lid(big16(packet, 6));
  datagram.to = next == 3 ? gid(packet.subspan(lrh + 24, 16)) : lid(big16(packet, 2));
  datagram.length = static_cast<std::uint32_t>(end - bth);
  datagram.network = packet.first(std::min(packet.size(), end));
  datagram.payload = datagram.network.subspan(bth);
  if (datagram.payload.size() > 4 && datagram.payload[4] & 0x80) datagram.ecn = 3;  // FECN
  return datagram;
}

std::variant<Datagram, Unused> dissect_erf(Octets record) {
  constexpr std::uint8_t infiniband = 21, more = 0x80;
  constexpr std::size_t header = 16, extension = 8;
  if (record.size() < header) return Unused{cut};
  if ((record[8] & ~more) != infiniband) return Unused{"an ERF record of another type than InfiniBand's 21"};
  std::size_t at = header;
  for (bool another = record[8] & more; another; at += extension) {
    if (record.size() < at + extension) return Unused{cut};
    another = record[at] & more;
  }
  return dissect_infiniband(record.subspan(at));
}

}  // namespace gicsim::roce
