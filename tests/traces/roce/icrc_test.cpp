// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/icrc.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <vector>
#include <variant>

#include "tests/traces/roce/support.h"
#include "traces/stream/unpacked.h"

namespace gicsim::roce {
namespace {

/// Bits that routers may change: nobody can tell.
bool masked(std::size_t octet, bool v6, std::size_t udp) {
  if (octet == udp + 6 || octet == udp + 7 || octet == udp + 12) return true;
  return v6 ? octet < 4 || octet == 7 : octet == 1 || octet == 8 || octet == 10 || octet == 11;
}

TEST_CASE("icrc: every frame of every capture is right, and wrong with one bit flipped") {
  std::uint64_t frames = 0, flipped = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_root() + "/traces/samples/roce")) {
    if (entry.path().extension() == ".md") continue;
    stream::Unpacked in(entry.path());
    Capture capture(in, entry.path());
    Frame frame;
    while (capture.next(frame)) {
      const auto datagram = dissect(frame);
      REQUIRE(std::holds_alternative<Datagram>(datagram));
      Datagram of = std::get<Datagram>(datagram);
      REQUIRE(icrc_right(of) == true);
      ++frames;
      std::vector<std::uint8_t> octets(of.network.begin(), of.network.end());
      for (std::uint64_t k = 0; k < 8; ++k) {  // other bits in each frame, the ICRC's own among them
        const std::uint64_t bit = (frames * 8191 + k * 2741) % (octets.size() * 8);
        if (masked(bit / 8, of.from.v6, of.udp) || bit / 8 == 0) continue;
        octets[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
        of.network = octets;
        REQUIRE(icrc_right(of) == false);
        octets[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
        ++flipped;
      }
    }
  }
  CHECK(frames == 11'115);
  CHECK(flipped > 80'000);
}

/// One frame of each opcode and length, whole.
std::vector<std::vector<std::uint8_t>> kinds_of_frames() {
  std::map<std::pair<std::uint8_t, std::size_t>, std::vector<std::uint8_t>> kinds;
  for (const auto& entry : std::filesystem::directory_iterator(source_root() + "/traces/samples/roce")) {
    if (entry.path().extension() == ".md") continue;
    stream::Unpacked in(entry.path());
    Capture capture(in, entry.path());
    for (Frame frame; capture.next(frame);) {
      const auto datagram = std::get<Datagram>(dissect(frame));
      kinds.try_emplace({datagram.payload[0], frame.octets.size()}, frame.octets.begin(), frame.octets.end());
    }
  }
  std::vector<std::vector<std::uint8_t>> frames;
  for (auto& [kind, octets] : kinds) frames.push_back(std::move(octets));
  return frames;
}

TEST_CASE("icrc: of each kind of packet any bit from the IP header on, flipped, is refused; what routers change is not") {
  constexpr std::size_t ip = 14;
  std::size_t refused = 0, accepted = 0;
  const auto frames = kinds_of_frames();
  CHECK(frames.size() > 20);
  for (std::vector<std::uint8_t> octets : frames) {
    const bool v6 = octets[12] == 0x86;
    const std::size_t udp = v6 ? 40 : 20;
    for (std::size_t bit = ip * 8; bit < octets.size() * 8; ++bit) {
      const std::size_t octet = bit / 8 - ip;
      const bool version = v6 && octet == 0 && bit % 8 >= 4;
      octets[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
      const auto datagram = dissect(Frame{.length = static_cast<std::uint32_t>(octets.size()), .octets = octets});
      const auto* of = std::get_if<Datagram>(&datagram);
      const bool taken = of && icrc_right(*of) == true;
      CAPTURE(octet);
      REQUIRE(taken == (masked(octet, v6, udp) && !version));
      ++(taken ? accepted : refused);
      octets[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    }
  }
  CHECK(accepted >= frames.size() * 56);
  CHECK(refused > 90'000);
}

TEST_CASE("icrc: what routers change doesn't count, of IPv4 and of IPv6") {
  for (const bool v6 : {false, true}) {
    Made made{.extension = reth(11), .v6 = v6};
    made.payload = "hello, roce";
    File file;
    std::string frame = made.frame();
    frame[14 + (v6 ? 7 : 8)] = 3;    // hop limit, time to live
    frame[14 + 1] = '\x0c';          // traffic class, type of service
    frame[14 + (v6 ? 40 : 20) + 6] = '\x55';  // UDP's checksum
    frame[14 + (v6 ? 40 : 20) + 12] = '\x40';  // BECN
    file.add(frame, 0);
    const auto read = survey(file.octets);
    CHECK(read.survey.icrc_right == 1);
    CHECK(read.survey.used == 1);
  }
}

TEST_CASE("icrc: a frame with a wrong one isn't used") {
  std::string frame = Made{.extension = reth(8)}.frame();
  frame.back() = static_cast<char>(frame.back() ^ 1);
  File file;
  file.add(frame, 0);
  const auto read = survey(file.octets);
  CHECK(read.survey.icrc_wrong == 1);
  CHECK(read.survey.used == 0);
  CHECK(read.survey.not_used().at(0).why == "a wrong ICRC: no NIC would take it");
}

}  // namespace
}  // namespace gicsim::roce
