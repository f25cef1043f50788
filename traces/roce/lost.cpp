// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/lost.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>
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

/// Frames wait in three queues: read ahead; passed over, as a later one was delivered first; delivered, and may be again.
class Comparison {
 public:
  Comparison(Capture& ahead, Capture& behind) : ahead_(ahead), behind_(behind) {}

  Lost run() {
    Packet packet;
    while (next(behind_, any_ ? &to_ : nullptr, packet)) {
      if (!std::exchange(any_, true)) to_ = packet.to;
      take(packet);
    }
    if (!any_) find_direction();
    lost_.to = to_text(to_);
    while (!coming_.empty() || read_on()) pass_over();
    for (const Packet& one : passed_) lose(one);
    std::sort(lost_.first.begin(), lost_.first.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    return std::move(lost_);
  }

 private:
  static constexpr std::size_t reach = 4096;  ///< frames that one may overtake

  /// Nothing came through. Where to is known if all was sent there.
  void find_direction() {
    for (Packet packet; next(ahead_, nullptr, packet);) {
      if (!std::exchange(any_, true)) to_ = packet.to;
      ++lost_.sent;
      any_ = packet.to == to_;
      if (!any_) break;
      pass_over(packet);
    }
    if (!any_) throw ConfigError(Location{behind_.file()}, "no RoCEv2 packet in it: nobody can say which way it was captured");
  }

  /// Most networks keep the order: so of a frame and an equal one that was sent again it is the later one, if the other has
  /// been passed over.
  void take(const Packet& packet) {
    for (std::size_t i = 0; i < reach && (i < coming_.size() || read_on()); ++i) {
      if (!same(coming_[i], packet)) continue;
      for (; i > 0; --i) pass_over();
      keep(std::move(coming_.front()), packet.ns);
      return coming_.pop_front();
    }
    const auto equal = [&](const Packet& other) { return same(other, packet); };
    if (const auto found = std::find_if(passed_.rbegin(), passed_.rend(), equal); found != passed_.rend()) {
      ++lost_.overtaken;
      keep(std::move(*found), packet.ns);
      passed_.erase(std::next(found).base());
      return;
    }
    if (std::any_of(delivered_.rbegin(), delivered_.rend(), equal)) return void(++lost_.twice);
    throw ConfigError(Location{behind_.file()},
                      fmt::format("frame {} ({}, PSN {}) isn't in {}, or more than {} frames off: captures of one run "
                                  "ahead of the loss and behind it are needed",
                                  packet.number, name_of_opcode(packet.header.opcode), packet.header.psn, ahead_.file(), reach));
  }

  bool read_on() {
    Packet packet;
    if (!next(ahead_, &to_, packet)) return false;
    coming_.push_back(std::move(packet));
    ++lost_.sent;
    return true;
  }

  void keep(Packet packet, std::int64_t at) {
    ++lost_.delivered;
    at_ = at;
    delivered_.push_back(std::move(packet));
    if (delivered_.size() > reach) delivered_.pop_front();
  }

  void pass_over() {
    Packet& packet = coming_.front();
    if (!delivered_.empty() && same(delivered_.back(), packet) && packet.ns <= at_) std::swap(delivered_.back(), packet);
    pass_over(packet);
    coming_.pop_front();
  }

  void pass_over(Packet& packet) {
    passed_.push_back(std::move(packet));
    if (passed_.size() <= reach) return;
    lose(passed_.front());
    passed_.pop_front();
  }

  void lose(const Packet& packet) {
    if (lost_.first.size() < most)
      lost_.first.push_back({packet.number, packet.header.opcode, packet.header.qp, packet.header.psn});
  }

  Capture &ahead_, &behind_;
  Lost lost_;
  IpAddress to_;
  bool any_ = false;
  std::int64_t at_ = 0;  ///< when the last one was delivered
  std::deque<Packet> coming_, passed_, delivered_;
};

}  // namespace

Lost compare(Capture& ahead, Capture& behind) { return Comparison(ahead, behind).run(); }

}  // namespace gicsim::roce
