// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/lost.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>

#include "models/base/errors.h"
#include "traces/roce/header.h"

namespace gicsim::roce {
namespace {

constexpr std::size_t most = 64;

struct Packet {
  std::uint64_t number = 0;
  std::int64_t ns = 0;
  IpAddress to;
  Header header;
  std::vector<std::uint8_t> octets;  ///< from the BTH up to the ICRC, which makes it its own
};

/// The next RoCEv2 packet, to `to` if that is given.
bool next(Capture& capture, const IpAddress* to, Packet& packet) {
  Frame frame;
  while (capture.next(frame)) {
    const auto datagram = dissect(frame);
    const auto* of = std::get_if<Datagram>(&datagram);
    if (!of || (to && of->to != *to)) continue;
    const auto header = decode(*of);
    if (!std::holds_alternative<Header>(header)) continue;
    packet = {frame.number, frame.ns, of->to, std::get<Header>(header), {of->payload.begin(), of->payload.end()}};
    packet.header.data = {};
    return true;
  }
  return false;
}

bool same(const Packet& a, const Packet& b) {
  const std::size_t n = std::min(a.octets.size(), b.octets.size());
  return std::equal(a.octets.begin(), a.octets.begin() + static_cast<std::ptrdiff_t>(n), b.octets.begin());
}

void lose(Lost& lost, const Packet& packet) {
  if (lost.first.size() < most)
    lost.first.push_back({packet.number, packet.header.opcode, packet.header.qp, packet.header.psn});
}

}  // namespace

Lost compare(Capture& ahead, Capture& behind) {
  Lost lost;
  Packet sent, delivered;
  std::optional<Packet> matched;
  std::int64_t at = 0;  // when that one was delivered
  IpAddress to;
  const auto pass_over = [&](Packet& packet) {
    if (matched && same(*matched, packet) && packet.ns <= at) std::swap(*matched, packet);
    lose(lost, packet);
  };
  while (next(behind, lost.delivered > 0 ? &to : nullptr, delivered)) {
    if (lost.delivered++ == 0) {
      to = delivered.to;
      lost.to = to_text(to);
    }
    while (true) {
      if (!next(ahead, &to, sent))
        throw ConfigError(Location{behind.file()},
                          fmt::format("frame {} ({}, PSN {}) isn't in {}, or not in this order: captures of one run "
                                      "ahead of the loss and behind it are needed",
                                      delivered.number, name_of_opcode(delivered.header.opcode), delivered.header.psn,
                                      ahead.file()));
      ++lost.sent;
      if (same(sent, delivered)) break;
      pass_over(sent);
    }
    matched = sent;
    at = delivered.ns;
  }
  if (lost.delivered == 0) throw ConfigError(Location{behind.file()}, "no RoCEv2 packet in it");
  while (next(ahead, &to, sent)) {
    ++lost.sent;
    pass_over(sent);
  }
  std::sort(lost.first.begin(), lost.first.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return lost;
}

}  // namespace gicsim::roce
