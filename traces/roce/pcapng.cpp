// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "traces/roce/capture.h"

namespace gicsim::roce {
namespace {

enum Block : std::uint32_t { section = 0x0a0d0d0a, interface_block = 1, old_packet = 2, simple_packet = 3, packet = 6 };
constexpr std::uint32_t longest_block = 1 << 20;  ///< octets of a block that is looked into
constexpr std::size_t most_interfaces = 65'536;
__extension__ using Wide = __int128;
constexpr Wide giga = 1'000'000'000;

std::size_t padded(std::size_t n) { return (n + 3) / 4 * 4; }

/// A name as a report shows it.
std::string printable(Octets octets) {
  constexpr std::size_t longest = 64;
  std::string text;
  for (const std::uint8_t octet : octets.first(std::min(octets.size(), longest)))
    if (octet != 0) text += octet >= ' ' && octet != 0x7f ? static_cast<char>(octet) : '?';
  return text.empty() ? "?" : text;
}

}  // namespace

/// Its type has been read: it alone is the same in both byte orders.
void Capture::begin_section(std::uint64_t at) {
  read(8, "a section's header");
  const std::uint32_t order = big32(buffer_, 4);
  if (order != 0x1a2b3c4d && order != 0x4d3c2b1a) fail(at + 8, fmt::format("{:08x} is no byte-order magic", order));
  little_ = order == 0x4d3c2b1a;
  const std::uint32_t length = word(0);
  if (length < 28 || length % 4 != 0) fail(at + 4, fmt::format("a section's header of {} B", length));
  read(4, "a section's header");
  if (const std::uint32_t major = word(0, 2); major != 1) fail(at + 12, fmt::format("pcapng {}; 1 is known", major));
  skip(length - 20, "a section's header");
  read(4, "a section's header");
  if (word(0) != length) fail(position_ - 4, fmt::format("a block of {} B ends with {}", length, word(0)));
  interfaces_.clear();
}

void Capture::add_interface(std::uint64_t at) {
  if (buffer_.size() < 12) fail(at + 4, "too short for an interface");
  if (interfaces_.size() == most_interfaces) fail(at, fmt::format("more than {} interfaces", most_interfaces));
  std::string name = fmt::format("interface {}", interfaces_.size());
  Interface interface;
  interface.link = word(0, 2);
  interface.snaplen = word(4);
  declare(interface.snaplen);
  for (std::size_t i = 8; i + 4 <= buffer_.size() - 4;) {
    const std::uint32_t code = word(i, 2), length = word(i + 2, 2);
    if (code == 0) break;
    if (i + 4 + length > buffer_.size() - 4) fail(at + 8 + i, fmt::format("an option of {} B doesn't fit in", length));
    if (code == 2) name = printable(Octets(buffer_).subspan(i + 4, length));
    if (code == 9 && length == 1) {
      interface.binary = buffer_[i + 4] & 0x80;
      interface.digits = buffer_[i + 4] & 0x7f;
      if (interface.digits > (interface.binary ? 63 : 19)) fail(at + 12 + i, "no resolution of time");
    }
    if (code == 14 && length == 8)
      interface.offset = static_cast<std::int64_t>(little_ ? little(buffer_, i + 4, 8) : big(buffer_, i + 4, 8));
    i += 4 + padded(length);
  }
  interface.place = place(name);
  interfaces_.push_back(interface);
}

/// Sections that one file was put together of may name the same one.
std::uint32_t Capture::place(const std::string& name) {
  const auto known = std::find(places_.begin(), places_.end(), name);
  if (known == places_.end() && places_.size() == most_interfaces) return 0;
  const auto number = static_cast<std::uint32_t>(known - places_.begin());
  if (known == places_.end()) places_.push_back(name);
  return number;
}

bool Capture::next_block(Frame& frame) {
  while (true) {
    const std::uint64_t at = position_;
    if (!read(4, nullptr)) return false;
    const std::uint32_t type = word(0);
    if (type == section) {
      begin_section(at);
      continue;
    }
    read(4, "a block's header");
    const std::uint32_t length = word(0);
    if (length < 12 || length % 4 != 0) fail(at + 4, fmt::format("a block of {} B", length));
    const bool wanted = type == interface_block || type == old_packet || type == simple_packet || type == packet;
    if (!wanted) {
      skip(length - 12, "a block");
      read(4, "a block");
    } else {
      if (length > longest_block) fail(at + 4, fmt::format("a block of {} B; {} B are the most here", length, longest_block));
      read(length - 8, "a block");
    }
    if (const std::uint32_t end = word(buffer_.size() - 4); end != length)
      fail(position_ - 4, fmt::format("a block of {} B ends with {}", length, end));
    if (type == interface_block) add_interface(at);
    else if (wanted && take_packet(type, at, frame)) return true;
  }
}

/// The buffer holds a block behind its length.
bool Capture::take_packet(std::uint32_t type, std::uint64_t at, Frame& frame) {
  const std::size_t header = type == simple_packet ? 4 : 20;
  if (buffer_.size() < header + 4) fail(at + 4, "too short for a packet");
  const std::size_t room = buffer_.size() - 4 - header;
  const std::uint32_t which = type == packet ? word(0) : type == old_packet ? word(0, 2) : 0;
  if (which >= interfaces_.size()) fail(at + 8, fmt::format("interface {} was not declared", which));
  const Interface& interface = interfaces_[which];
  std::uint32_t length = word(type == simple_packet ? 0 : 16), kept = type == simple_packet ? length : word(12);
  frame.ns = 0;
  if (type == simple_packet) {  // has no stamp, and no length of its own
    if (interface.snaplen > 0) kept = std::min(kept, interface.snaplen);
    kept = std::min(kept, static_cast<std::uint32_t>(room));
  } else {
    frame.ns = stamp(interface, std::uint64_t{word(4)} << 32 | word(8), at + 12);
  }
  if (kept > room) fail(at + 20, fmt::format("{} B captured in a block that has room for {}", kept, room));
  if (kept > length) fail(at + 20, fmt::format("{} B captured of a frame of {} B", kept, length));
  frame.link = interface.link;
  frame.place = interface.place;
  frame.direction = type == simple_packet ? Direction::unknown : direction(header + padded(kept), at);
  set(frame, at, kept, length, header);
  return true;
}

/// Of a packet's options, which begin there.
Direction Capture::direction(std::size_t options, std::uint64_t at) const {
  for (std::size_t i = options; i + 4 <= buffer_.size() - 4;) {
    const std::uint32_t code = word(i, 2), length = word(i + 2, 2);
    if (code == 0) break;
    if (i + 4 + length > buffer_.size() - 4) fail(at + 8 + i, fmt::format("an option of {} B doesn't fit in", length));
    if (code == 2 && length == 4) {
      const std::uint32_t flags = word(i + 4) & 3;
      return flags == 1 ? Direction::in : flags == 2 ? Direction::out : Direction::unknown;
    }
    i += 4 + padded(length);
  }
  return Direction::unknown;
}

std::int64_t Capture::stamp(const Interface& interface, std::uint64_t ticks, std::uint64_t at) const {
  Wide ns = static_cast<Wide>(ticks) * giga;
  if (interface.binary) ns >>= interface.digits;
  else for (int i = 0; i < interface.digits; ++i) ns /= 10;
  ns += static_cast<Wide>(interface.offset) * giga;
  if (ns < 0 || ns > INT64_MAX) fail(at, "a time beyond the year 2262, or before 1970");
  return static_cast<std::int64_t>(ns);
}

}  // namespace gicsim::roce
