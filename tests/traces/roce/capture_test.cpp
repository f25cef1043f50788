// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/roce/capture.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/traces/roce/support.h"

namespace gicsim::roce {
namespace {

std::vector<Made> three() {
  return {{.psn = 5, .extension = reth(8), .ns = 1'000'000'123'456'000},
          {.opcode = 0x11, .qp = 0x22, .psn = 5, .extension = aeth(0x1f, 1), .payload = "", .from = 1, .to = 2, .ask = false,
           .ns = 1'000'000'123'459'000},
          {.psn = 6, .extension = reth(8), .ns = 1'000'000'200'000'000}};
}

/// The same frames as pcapng, of one section an order, stamps in units of `resolution`.
struct Blocks {
  bool big = false;
  std::string octets = {};
  void word(std::string& s, std::uint64_t value, int n) const { big ? put(s, value, n) : put_little(s, value, n); }
  void block(std::uint32_t type, std::string body) {
    body.resize((body.size() + 3) / 4 * 4);
    word(octets, type, 4), word(octets, body.size() + 12, 4);
    octets += body;
    word(octets, body.size() + 12, 4);
  }
  void section() {
    std::string body;
    word(body, 0x1a2b3c4d, 4), word(body, 1, 2), word(body, 0, 2), word(body, ~0ull, 8);
    block(0x0a0d0d0a, body);
  }
  void interface(std::uint8_t resolution, std::uint32_t snaplen = 0, std::uint32_t link = 1) {
    std::string body;
    word(body, link, 2), word(body, 0, 2), word(body, snaplen, 4);
    word(body, 9, 2), word(body, 1, 2), body += static_cast<char>(resolution), body += std::string(3, '\0');
    word(body, 0, 4);
    block(1, body);
  }
  void packet(const std::string& frame, std::uint64_t ticks, std::uint32_t on = 0) {
    std::string body;
    word(body, on, 4), word(body, ticks >> 32, 4), word(body, ticks & 0xffff'ffff, 4);
    word(body, frame.size(), 4), word(body, frame.size(), 4);
    block(6, body + frame);
  }
};

TEST_CASE("capture: pcap of both byte orders, stamps in us and in ns") {
  for (const bool nano : {false, true})
    for (const bool big : {false, true}) {
      const auto read = survey(pcap(three(), {.nano = nano, .big = big}));
      CHECK(read.wrong.empty());
      CHECK(read.flow().messages == 2);
      CHECK(read.flow().acks == 1);
      CHECK(read.flow().answered.most() == 3000);
      CHECK(read.survey.first_ns == 1'000'000'123'456'000);
    }
}

TEST_CASE("capture: pcapng with several sections, interfaces and resolutions, and blocks that don't matter") {
  std::string all;
  for (const bool big : {false, true}) {
    Blocks blocks{big};
    blocks.section();
    blocks.block(0xbad, "whatever");
    blocks.interface(6);
    blocks.interface(0x80 | 20);  // 2^-20 s
    blocks.packet(three()[0].frame(), 1'000'000);
    blocks.packet(three()[1].frame(), (1 << 20) + (1 << 19), 1);
    blocks.block(5, std::string(40, 'x'));
    all += blocks.octets;
  }
  const auto read = survey(all);
  CHECK(read.wrong.empty());
  CHECK(read.survey.frames == 4);
  CHECK(read.survey.used == 4);
  CHECK(read.survey.first_ns == 1'000'000'000);
  CHECK(read.survey.last_ns == 1'500'000'000);
}

TEST_CASE("capture: simple packets have no stamp") {
  Blocks blocks;
  blocks.section();
  blocks.interface(9, 60);
  const std::string frame = three()[0].frame();
  std::string body;
  put_little(body, frame.size(), 4);
  blocks.block(3, body + frame.substr(0, 60));
  const auto read = survey(blocks.octets);
  CHECK(read.wrong.empty());
  CHECK(read.survey.frames == 1);
  CHECK(read.survey.cut_short == 1);
}

TEST_CASE("capture: what is wrong is said with its octet") {
  const std::string good = pcap(three());
  const auto with = [&](std::size_t at, std::uint64_t value, int n = 4) {
    std::string s = good, word;
    put_little(word, value, n);
    return survey(s.replace(at, word.size(), word)).wrong;
  };
  CHECK(survey("").wrong == "f.pcap: is empty");
  CHECK(survey("ab").wrong == "f.pcap: byte 2: the file ends inside a record's header; it was cut off");
  CHECK(survey(good.substr(0, 20)).wrong == "f.pcap: byte 20: the file ends inside the file's header; it was cut off");
  CHECK(survey(good.substr(0, 30)).wrong == "f.pcap: byte 30: the file ends inside a record's header; it was cut off");
  CHECK(survey(good.substr(0, 60)).wrong == "f.pcap: byte 60: the file ends inside a frame; it was cut off");
  CHECK(survey("hello, world").wrong == "f.pcap: byte 0: 68656c6c begins neither a pcap nor a pcapng file");
  CHECK(survey("\x1f\x8b zip").wrong == "f.pcap: compressed; gunzip it first");
  CHECK(with(4, 3, 2) == "f.pcap: byte 4: version 3.4; pcap is 2.4");
  CHECK(with(28, 1'000'000'000) == "f.pcap: byte 28: 1000000000 ns in a second");
  CHECK(with(32, 1 << 30) == "f.pcap: byte 32: a frame of 1073741824 B; 262144 B are the most");
  CHECK(with(36, 3) == "f.pcap: byte 32: 82 B captured of a frame of 3 B");
  CHECK(survey(good.substr(0, 24)).survey.frames == 0);
}

TEST_CASE("capture: pcapng likewise") {
  Blocks blocks;
  blocks.section();
  blocks.interface(9);
  const std::size_t at = blocks.octets.size();
  blocks.packet(three()[0].frame(), 1);
  const auto with = [&](std::size_t where, std::uint64_t value) {
    std::string s = blocks.octets, word;
    put_little(word, value, 4);
    return survey(s.replace(where, 4, word)).wrong;
  };
  CHECK(survey(blocks.octets).wrong.empty());
  CHECK(with(8, 0x12345678) == "f.pcap: byte 8: 78563412 is no byte-order magic");
  CHECK(with(at + 4, 13) == fmt::format("f.pcap: byte {}: a block of 13 B", at + 4));
  CHECK(with(at + 8, 7) == fmt::format("f.pcap: byte {}: interface 7 was not declared", at + 8));
  CHECK(with(at + 20, 5000) == fmt::format("f.pcap: byte {}: 5000 B captured in a block that has room for 84", at + 20));
  CHECK(with(at + 4, 1 << 24) == fmt::format("f.pcap: byte {}: a block of 16777216 B; 1048576 B are the most here", at + 4));
  CHECK(survey(blocks.octets.substr(0, at + 50)).wrong ==
        fmt::format("f.pcap: byte {}: the file ends inside a block; it was cut off", at + 50));
}

TEST_CASE("capture: any sample cut anywhere, or with bits flipped, ends in a survey or in one mistake") {
  for (const char* name : {"rxe-nak-access", "rxe-atomic-cas", "rxe-ud-send-64B", "rxe-write-4KiB-ackloss-delivered"}) {
    const std::string good = contents(sample_path(name));
    for (std::size_t n = 0; n < good.size(); n += 37) {
      const auto read = survey(good.substr(0, n));
      CHECK((read.wrong.empty() || read.wrong.rfind("f.pcap", 0) == 0));
    }
    std::uint64_t random = 12'345;
    for (int round = 0; round < 400; ++round) {
      std::string bad = good;
      for (int k = 0; k < 1 + round % 8; ++k) {
        random = random * 6'364'136'223'846'793'005u + 1'442'695'040'888'963'407u;
        bad[(random >> 33) % bad.size()] ^= static_cast<char>(1 << (random >> 29) % 8);
      }
      const auto read = survey(bad);
      CHECK(read.wrong.find('\n') == std::string::npos);
      std::uint64_t packets = 0;
      for (const auto& flow : read.survey.flows()) packets += flow->packets + flow->answers + flow->copies + flow->cnps;
      CHECK(packets == read.survey.used);
    }
  }
}

}  // namespace
}  // namespace gicsim::roce
