// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// InfiniBand's own link layer, in ERF records and by itself.
#include "traces/roce/infiniband.h"

#include <doctest/doctest.h>

#include "tests/traces/roce/support.h"

namespace gicsim::roce {
namespace {

/// A local packet, or a global one, with a right ICRC and any VCRC.
std::string packet(bool global, std::uint8_t opcode = 0x0a, std::uint8_t fecn = 0) {
  std::string p, bth;
  put(bth, opcode, 1), put(bth, 0x40, 1), put(bth, 0xffff, 2), put(bth, fecn, 1), put(bth, 0x11, 3), put(bth, 0x8000'0007, 4);
  bth += reth(8) + "12345678";
  const std::size_t length = (global ? 48 : 8) + bth.size() + 4;
  put(p, 0x20, 1), put(p, global ? 3 : 2, 1), put(p, 9, 2), put(p, length / 4, 2), put(p, 4, 2);
  if (global) {
    put(p, 0x6000'0000, 4), put(p, bth.size() + 4, 2), put(p, 0x1b, 1), put(p, 64, 1);
    for (const int host : {2, 1}) put(p, 0xfe80'0000'0000'0000, 8), put(p, static_cast<std::uint64_t>(host), 8);
  }
  p += bth;
  put_little(p, icrc_infiniband(Octets(reinterpret_cast<const std::uint8_t*>(p.data()), p.size())), 4);
  return p + "vc";
}

std::string erf(const std::string& packet, std::uint8_t type = 21, int extensions = 0) {
  std::string r(8, '\0');
  put(r, type | (extensions > 0 ? 0x80 : 0), 1), put(r, 4, 1), put(r, 16 + packet.size(), 2), put(r, 0, 2), put(r, packet.size(), 2);
  for (int i = 1; i <= extensions; ++i) put(r, i < extensions ? 0x80 : 0, 1), put(r, 0, 7);
  return r + packet;
}

Surveyed surveyed(const std::string& frame, std::uint32_t link, std::uint32_t snaplen = 65'535) {
  File file{.snaplen = snaplen, .link = link};
  file.add(frame, 5);
  return survey(file.octets);
}

TEST_CASE("infiniband: LIDs within a subnet, GIDs beyond; by itself and in ERF records with any extensions") {
  for (const bool global : {false, true})
    for (const auto& [frame, link] : {std::pair{packet(global), 247u}, std::pair{erf(packet(global)), 197u},
                                      std::pair{erf(packet(global), 21, 3), 197u}}) {
      const auto read = surveyed(frame, link);
      REQUIRE(read.survey.flows().size() == 1);
      CHECK(read.survey.icrc_right == 1);
      CHECK(to_text(read.flow().key.from) == (global ? "fe80::2" : "LID 4"));
      CHECK(to_text(read.flow().key.to) == (global ? "fe80::1" : "LID 9"));
      CHECK(read.flow().messages == 1);
      CHECK(read.flow().payload == 8);
    }
}

TEST_CASE("infiniband: FECN is a mark") { CHECK(surveyed(packet(false, 0x0a, 0x80), 247).flow().congested == 1); }

TEST_CASE("infiniband: what switches and routers change doesn't count, any other bit does") {
  for (const bool global : {false, true}) {
    std::string text = packet(global);
    int right = 0;
    for (std::size_t bit = 0; bit < (text.size() - 2) * 8; ++bit) {
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ 1 << bit % 8);
      const auto read = surveyed(text, 247);
      right += static_cast<int>(read.survey.icrc_right);
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ 1 << bit % 8);
    }
    // VL and the BTH's octet; of a global one: all of the LRH but what says where things are, and of the GRH 4 + 24 + 8 bits
    CHECK(right == (global ? 64 - 2 - 11 + 4 + 24 + 8 + 8 : 4 + 8));
  }
}

TEST_CASE("infiniband: cut off, with lengths that can't be, of other types") {
  const std::string whole = erf(packet(true));
  for (std::uint32_t kept = 0; kept < whole.size(); ++kept) {
    const auto read = surveyed(whole, 197, std::max(kept, 1u));
    CHECK(read.wrong.empty());
    CHECK(read.survey.icrc_wrong + read.survey.icrc_right == (kept >= whole.size() - 2));
  }
  const auto why = [](const std::string& frame, std::uint32_t link) {
    return surveyed(frame, link).survey.not_used().at(0).why;
  };
  std::string text = packet(false);
  text[5] = 1;
  CHECK(why(text, 247) == "an LRH with a length that can't be");
  text = packet(false);
  text[1] = 0;
  CHECK(why(text, 247) == "a raw packet of InfiniBand");
  CHECK(why(erf(packet(false), 2), 197) == "an ERF record of another type than InfiniBand's 21");
  CHECK(why(std::string(40, '\x95'), 197) == "cut off before the end of its headers");  // extensions without end
  CHECK(why("", 247) == "cut off before the end of its headers");
  text = packet(false);
  text[5] = 3;  // shorter than its BTH
  CHECK(why(text, 247) == "shorter than a BTH and an ICRC");
}

}  // namespace
}  // namespace gicsim::roce
