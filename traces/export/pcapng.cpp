// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/pcapng.h"

#include <algorithm>

#include "traces/export/octets.h"

namespace gicsim::exports::pcapng {
namespace {

enum Type : std::uint32_t { section_header = 0x0a0d0d0a, interface_description = 1, interface_statistics = 5, enhanced_packet = 6 };
enum Option : std::uint16_t {
  end = 0, comment = 1, section_application = 4, if_name = 2, if_description = 3, if_ipv4 = 4, if_mac = 6, if_speed = 8,
  if_tsresol = 9, packet_flags = 2, isb_received = 4, isb_dropped = 5
};

constexpr std::size_t padding(std::size_t n) { return -n & 3; }

void option(Octets& out, Option code, std::string_view value) {
  out.little(code, 2).little(value.size(), 2).add(value).zeros(padding(value.size()));
}
void option(Octets& out, Option code, std::uint64_t value, int n) { option(out, code, Octets().little(value, n).text()); }

std::string block(Type type, const Octets& body) {
  const std::size_t length = 12 + body.size();
  return Octets().little(type, 4).little(length, 4).add(body.text()).little(length, 4).take();
}

std::uint64_t ticks(Picoseconds at, Resolution resolution) {
  return static_cast<std::uint64_t>(resolution == Resolution::picoseconds ? at.count() : at.count() / 1000);
}

}  // namespace

std::string section(std::string_view text) {
  Octets body;
  body.little(0x1a2b3c4d, 4).little(1, 2).little(0, 2).little(~std::uint64_t{0}, 8);
  option(body, section_application, "gicsim");
  if (!text.empty()) option(body, comment, text);
  option(body, end, {});
  return block(section_header, body);
}

std::string interface(const Interface& of, Resolution resolution) {
  Octets body;
  body.little(static_cast<std::uint64_t>(of.link), 2).zeros(2).little(0, 4);
  option(body, if_name, of.name);
  option(body, if_description, of.description);
  if (of.ipv4 != 0) option(body, if_ipv4, Octets().big(of.ipv4, 4).big(0xffff'0000, 4).text());
  if (of.mac != 0) option(body, if_mac, Octets().big(of.mac, 6).text());
  option(body, if_speed, static_cast<std::uint64_t>(of.rate.bits_per_second()), 8);
  option(body, if_tsresol, static_cast<std::uint64_t>(resolution), 1);
  option(body, end, {});
  return block(interface_description, body);
}

std::string packet(std::uint32_t interface, std::string_view frame, Direction direction, std::string_view text) {
  Octets body;
  body.little(interface, 4).zeros(8).little(frame.size(), 4).little(frame.size(), 4);
  body.add(frame).zeros(padding(frame.size()));
  if (!text.empty()) option(body, comment, text);
  if (direction != Direction::unknown) option(body, packet_flags, static_cast<std::uint64_t>(direction), 4);
  option(body, end, {});
  return block(enhanced_packet, body);
}

std::size_t length(const char* block) {
  std::size_t length = 0;
  for (int i = 7; i >= 4; --i) length = length << 8 | static_cast<std::uint8_t>(block[i]);
  return length;
}

void stamp(char* packet, Picoseconds at, Resolution resolution) {
  const std::uint64_t value = ticks(at, resolution);
  const std::string octets = Octets().little(value >> 32, 4).little(value & 0xffff'ffff, 4).take();
  std::copy(octets.begin(), octets.end(), packet + 12);
}

std::string statistics(std::uint32_t interface, Picoseconds at, Resolution resolution, std::uint64_t received,
                       std::uint64_t dropped) {
  const std::uint64_t value = ticks(at, resolution);
  Octets body;
  body.little(interface, 4).little(value >> 32, 4).little(value & 0xffff'ffff, 4);
  option(body, isb_received, received, 8);
  option(body, isb_dropped, dropped, 8);
  option(body, end, {});
  return block(interface_statistics, body);
}

}  // namespace gicsim::exports::pcapng
