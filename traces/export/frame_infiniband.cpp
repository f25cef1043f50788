// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/crc.h"
#include "traces/export/frame.h"
#include "traces/export/octets.h"

namespace gicsim::exports {
namespace {

/// Over the packet with ones for its virtual lane and for what is reserved in its BTH. Source: InfiniBand 1.5, 7.8.1
std::uint32_t icrc(const std::string& lrh, const std::string& transport) {
  std::string headers = lrh + transport.substr(0, 12);
  headers[0] = static_cast<char>(headers[0] | 0xf0);
  headers[8 + 4] = '\xff';
  return Crc32().add(headers).add(std::string_view(transport).substr(12)).value();
}

}  // namespace

std::string infiniband_frame(const Packet& packet, const std::string& transport) {
  constexpr std::uint8_t transport_follows = 2;
  Octets out;
  out.big(static_cast<std::uint64_t>(packet.priority) << 4, 1).big(packet.priority << 4 | transport_follows, 1);
  out.big(lid_of(packet.to), 2).big((8 + transport.size() + 4) / 4, 2).big(lid_of(packet.from), 2);
  const std::uint32_t invariant = icrc(out.text(), transport);
  out.add(transport).little(invariant, 4);
  const std::uint16_t variant = vcrc(out.text());
  out.little(variant, 2);
  return out.take();
}

std::string erf_record(const std::string& frame, Picoseconds at, std::size_t interface) {
  constexpr std::uint8_t infiniband = 21, any_length = 0x04;
  constexpr std::int64_t second = 1'000'000'000'000;
  __extension__ using Wide = unsigned __int128;
  const auto part = static_cast<std::uint64_t>((static_cast<Wide>(at.count() % second) << 32) / second);
  Octets out;
  out.little(part, 4).little(static_cast<std::uint64_t>(at.count() / second), 4);
  out.big(infiniband, 1).big(any_length | (interface & 3), 1).big(16 + frame.size(), 2).zeros(2).big(frame.size(), 2);
  return out.add(frame).take();
}

}  // namespace gicsim::exports
