// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "traces/export/frame.h"
#include "traces/roce/header.h"
#include "traces/roce/icrc.h"
#include "traces/roce/info.h"

namespace gicsim::exports {

inline roce::Octets octets_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The VCRC bit by bit, as the specification's shift register does it. Source: InfiniBand 1.5, 7.8.2
inline std::uint16_t vcrc_by_bits(std::string_view octets) {
  unsigned state = 0xffff;
  for (const char octet : octets)
    for (int bit = 0; bit < 8; ++bit) {
      const unsigned in = static_cast<unsigned>(octet) >> bit & 1, out = state >> 15 & 1;
      state = state << 1 & 0xffff;
      if (in != out) state ^= 0x100b;
    }
  unsigned reversed = 0;
  for (int bit = 0; bit < 16; ++bit) reversed |= (state >> bit & 1) << (15 - bit);
  return static_cast<std::uint16_t>(~reversed);
}

/// A frame of a capture, taken apart.
struct Taken {
  std::string place, octets;
  std::int64_t ns = 0;
  roce::Direction direction = roce::Direction::unknown;
  std::variant<roce::Datagram, roce::Unused> datagram;
  std::variant<roce::Header, roce::Unused> header;
  bool icrc = false;
  const roce::Header& h() const { return std::get<roce::Header>(header); }
};

/// Spans point into `octets`, which stay where they are.
inline std::vector<std::unique_ptr<Taken>> taken(const std::string& file) {
  std::istringstream in(file);
  roce::Capture capture(in, "packets");
  std::vector<std::unique_ptr<Taken>> all;
  roce::Frame frame;
  while (capture.next(frame)) {
    Taken& one = *all.emplace_back(std::make_unique<Taken>());
    one.place = capture.places().at(frame.place);
    one.octets.assign(frame.octets.begin(), frame.octets.end());
    one.ns = frame.ns;
    one.direction = frame.direction;
    frame.octets = octets_of(one.octets);
    one.datagram = roce::dissect(frame);
    one.header = roce::Unused{"not dissected"};
    if (const auto* of = std::get_if<roce::Datagram>(&one.datagram)) {
      one.icrc = roce::icrc_right(*of) == true;
      one.header = roce::decode(*of);
    }
  }
  return all;
}

}  // namespace gicsim::exports
