// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/crc.h"
#include "traces/export/frame.h"
#include "traces/export/octets.h"

namespace gicsim::exports {
namespace {

constexpr std::uint16_t roce_port = 4791, least_port = 0xc000;
constexpr std::uint64_t far_end = 0x0001'0000'0000;  ///< beside a NIC's address, that of the other end of its cable

/// The priority as a class selector (RFC 2474), as no VLAN tag carries it.
std::uint8_t type_of_service(const Packet& packet) {
  const std::uint8_t ecn = packet.ecn == Ecn::congested ? 3 : packet.ecn == Ecn::capable ? 2 : 0;
  return static_cast<std::uint8_t>(packet.priority << 5 | ecn);
}

/// Source: RFC 791, 3.1
std::uint16_t checksum(const std::string& header) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < header.size(); ++i)
    sum += static_cast<std::uint32_t>(static_cast<std::uint8_t>(header[i])) << (i % 2 == 0 ? 8 : 0);
  sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~(sum + (sum >> 16)));
}

void add_ipv4(Octets& out, const Packet& packet, std::size_t length, std::uint8_t tos, std::uint8_t ttl, bool ones) {
  Octets header;
  header.big(0x45, 1).big(tos, 1).big(length, 2);
  header.big(0x0000'4000, 4);  // in one piece, whose number says nothing (RFC 6864)
  header.big(ttl, 1).big(17, 1).zeros(2).big(ipv4_of(packet.from), 4).big(ipv4_of(packet.to), 4);
  const std::uint16_t sum = ones ? 0xffff : checksum(header.text());
  header[10] = static_cast<char>(sum >> 8), header[11] = static_cast<char>(sum);
  out.add(header.text());
}

void add_udp(Octets& out, const Packet& packet, std::size_t length, std::uint16_t sum) {
  out.big(packet.flow ? packet.flow : least_port, 2).big(roce_port, 2).big(length, 2).big(sum, 2);
}

/// Over eight octets of ones, then the packet with ones for what routers change. Source: InfiniBand 1.5, Annex A17.3.3
std::uint32_t icrc(const Packet& packet, const std::string& transport, std::size_t total) {
  Octets headers;
  headers.big(~std::uint64_t{0}, 8);
  add_ipv4(headers, packet, total, 0xff, 0xff, true);
  add_udp(headers, packet, total - 20, 0xffff);
  headers.add(transport.substr(0, 12));
  headers[8 + 20 + 8 + 4] = '\xff';
  return Crc32().add(headers.text()).add(std::string_view(transport).substr(12)).value();
}

}  // namespace

std::string rocev2_frame(const Packet& packet, const std::string& transport) {
  const std::size_t total = 20 + 8 + transport.size() + 4;
  Octets out;
  out.big(mac_of(packet.to), 6).big(mac_of(packet.from), 6).big(0x0800, 2);
  add_ipv4(out, packet, total, type_of_service(packet), 64, false);
  add_udp(out, packet, total - 20, 0);
  out.add(transport).little(icrc(packet, transport, total), 4);
  return out.take();
}

std::string pfc_frame(const Packet& packet, PortNumber port, bool to_nic) {
  Octets out;
  out.big(0x0180'c200'0001, 6).big(mac_of(port) + (to_nic ? far_end : 0), 6).big(0x8808, 2).big(0x0101, 2);
  out.big(1u << packet.priority, 2);
  for (int priority = 0; priority < 8; ++priority) out.big(priority == packet.priority ? packet.value : 0, 2);
  return out.zeros(26).take();  // 60 octets are the least
}

}  // namespace gicsim::exports
