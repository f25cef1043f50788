// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/datagram.h"

#include <fmt/format.h>

#include <algorithm>

#include "traces/roce/infiniband.h"

namespace gicsim::roce {
namespace {

using Result = std::variant<Datagram, Unused>;

enum Link : std::uint32_t { null = 0, ethernet = 1, raw_old = 12, raw = 101, loop = 108, cooked = 113, erf = 197,
                            ipv4 = 228, ipv6 = 229, infiniband = 247, cooked2 = 276 };
constexpr std::string_view cut = "cut off before the end of its headers";

/// Ethertypes that lie around another one.
constexpr bool tag(std::uint16_t type) { return type == 0x8100 || type == 0x88a8 || type == 0x9100; }

std::uint16_t version(Octets octets) {
  return octets.empty() ? 0 : octets[0] >> 4 == 6 ? 0x86dd : octets[0] >> 4 == 4 ? 0x0800 : 0;
}

using Wanted = bool (*)(std::uint16_t port);

Result of_udp(Datagram datagram, Octets network, std::size_t udp, std::size_t end, Wanted wanted) {
  if (network.size() < udp + 8) return Unused{cut};
  const Octets header = network.subspan(udp);
  if (!wanted(big16(header, 2))) return Unused{"UDP to another port"};
  const std::size_t length = big16(header, 4);
  if (length < 8 || udp + length > end) return Unused{"UDP's length doesn't fit into IP's"};
  datagram.source_port = big16(header, 0);
  datagram.length = static_cast<std::uint32_t>(length - 8);
  datagram.udp = static_cast<std::uint32_t>(udp);
  datagram.network = network.first(std::min(network.size(), udp + length));
  datagram.payload = datagram.network.subspan(udp + 8);
  return datagram;
}

Result of_ipv4(Octets octets, Wanted wanted) {
  if (octets.size() < 20) return Unused{cut};
  const std::size_t header = (octets[0] & 15u) * 4u, total = big16(octets, 2);
  if (header < 20 || total < header) return Unused{"IPv4 header with lengths that can't be"};
  if (big16(octets, 6) & 0x3fff) return Unused{"IP fragment"};
  if (octets[9] != 17) return Unused{"IP, not UDP"};
  Datagram datagram;
  datagram.identification = big16(octets, 4);
  datagram.ecn = octets[1] & 3;
  std::copy_n(octets.begin() + 12, 4, datagram.from.octets.begin());
  std::copy_n(octets.begin() + 16, 4, datagram.to.octets.begin());
  return of_udp(datagram, octets, header, total, wanted);
}

Result of_ipv6(Octets octets, Wanted wanted) {
  if (octets.size() < 40) return Unused{cut};
  Datagram datagram;
  datagram.ecn = octets[1] >> 4 & 3;
  datagram.from.v6 = datagram.to.v6 = true;
  std::copy_n(octets.begin() + 8, 16, datagram.from.octets.begin());
  std::copy_n(octets.begin() + 24, 16, datagram.to.octets.begin());
  const std::size_t end = 40u + big16(octets, 4);
  std::size_t at = 40;
  std::uint8_t next = octets[6];
  while (next == 0 || next == 43 || next == 60) {  // hop by hop, routing, destination
    if (octets.size() < at + 8) return Unused{cut};
    next = octets[at];
    at += 8u * (octets[at + 1] + 1u);
  }
  if (next == 44) return Unused{"IP fragment"};
  if (next != 17) return Unused{"IP, not UDP"};
  return of_udp(datagram, octets, at, end, wanted);
}

}  // namespace

std::string to_text(const IpAddress& address) {
  const auto& o = address.octets;
  if (address.lid) return fmt::format("LID {}", big16(o, 0));
  if (!address.v6) return fmt::format("{}.{}.{}.{}", o[0], o[1], o[2], o[3]);
  std::size_t longest = 0, at = 8;
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t n = 0;
    while (i + n < 8 && big16(o, 2 * (i + n)) == 0) ++n;
    if (n > longest && n > 1) longest = n, at = i;
  }
  std::string text;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == at) {
      text += "::";
      i += longest - 1;
      continue;
    }
    if (!text.empty() && text.back() != ':') text += ':';
    text += fmt::format("{:x}", big16(o, 2 * i));
  }
  return text;
}

Result dissect(const Frame& frame, Wanted wanted) {
  Octets octets = frame.octets;
  std::uint16_t type = 0;
  std::size_t header = 0;
  switch (frame.link) {
    case ethernet: header = 14; break;
    case cooked: header = 16; break;
    case cooked2: header = 20; break;
    case null:
    case loop: header = 4; break;
    case raw:
    case raw_old:
    case ipv4:
    case ipv6: break;
    case erf: return dissect_erf(octets);
    case infiniband: return dissect_infiniband(octets);
    default: return Unused{"link type that isn't known here"};
  }
  if (octets.size() < header) return Unused{cut};
  if (header >= 14) type = big16(octets, frame.link == cooked2 ? 0 : header - 2);
  octets = octets.subspan(header);
  if (header < 14) type = version(octets);
  while (tag(type)) {
    if (octets.size() < 4) return Unused{cut};
    type = big16(octets, 2);
    octets = octets.subspan(4);
  }
  if (type == 0x8915) return Unused{roce_v1};
  if (type == 0x0800) return of_ipv4(octets, wanted);
  if (type == 0x86dd) return of_ipv6(octets, wanted);
  return Unused{"neither IP nor RoCE"};
}

}  // namespace gicsim::roce
