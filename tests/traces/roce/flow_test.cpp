// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames made by hand, for what the samples don't have.
#include "traces/roce/flow.h"

#include <doctest/doctest.h>

#include "tests/traces/roce/support.h"

namespace gicsim::roce {
namespace {

Made write(std::uint32_t psn, std::uint32_t qp = 0x11) { return {.qp = qp, .psn = psn, .extension = reth(8)}; }
Made ack(std::uint32_t psn, std::uint32_t msn, std::uint32_t qp = 0x22, std::uint8_t syndrome = 0x1f) {
  return {.opcode = 0x11, .qp = qp, .psn = psn, .extension = aeth(syndrome, msn), .payload = "", .from = 1, .to = 2,
          .ask = false};
}
Made part(std::uint8_t opcode, std::uint32_t psn, std::size_t n = 1024) {
  return {.opcode = opcode, .psn = psn, .extension = opcode == 6 ? reth(3072) : "", .payload = std::string(n, 'x'),
          .ask = opcode == 8};
}

TEST_CASE("flow: IPv6, VLAN and VLAN in VLAN") {
  for (const bool v6 : {false, true})
    for (const int vlans : {0, 1, 2}) {
      Made made = write(7);
      made.v6 = v6;
      made.vlans = vlans;
      const auto read = survey(pcap({made}));
      REQUIRE(read.survey.used == 1);
      CHECK(read.survey.icrc_right == 1);
      CHECK(to_text(read.flow().key.from) == (v6 ? "2001:db8::2" : "10.0.0.2"));
    }
}

TEST_CASE("flow: headers alone are enough, and ICRCs can't be checked then") {
  const auto read = survey(pcap({part(6, 0), part(7, 1), part(8, 2), ack(2, 1)}, {.snaplen = 96}));
  CHECK(read.survey.used == 4);
  CHECK(read.survey.icrc_unknown == 3);
  CHECK(read.survey.cut_short == 3);
  CHECK(read.flow().payload == 3072);
  CHECK(read.flow().mtu == 1024);
  const auto less = survey(pcap({part(6, 0)}, {.snaplen = 60}));
  CHECK(less.survey.used == 0);
  CHECK(less.survey.not_used().at(0).why == "cut off before the end of its headers");
}

TEST_CASE("flow: RoCEv1, other ports, fragments and unknown opcodes are counted, with a reason") {
  File file;
  std::string v1 = write(1).frame();
  v1[12] = '\x89', v1[13] = '\x15';
  std::string other = write(1).frame();
  other[14 + 20 + 2] = 0;
  std::string fragment = write(1).frame();
  fragment[14 + 6] = '\x20';
  Made dc = write(1);
  dc.opcode = 0xc4;
  file.add(v1, 0), file.add(v1, 0), file.add(other, 0), file.add(fragment, 0), file.add(dc.frame(), 0);
  const auto read = survey(file.octets);
  CHECK(read.survey.used == 0);
  REQUIRE(read.survey.not_used().size() == 4);
  CHECK(read.survey.not_used()[0].why == roce_v1);
  CHECK(read.survey.not_used()[0].frames == 2);
  CHECK(read.survey.not_used()[1].first == 3);
}

TEST_CASE("flow: answers find their queue pair by PSN, then by source port") {
  std::vector<Made> frames = {write(100, 0x11), write(5000, 0x12), ack(5000, 1, 0x32), ack(100, 1, 0x31)};
  auto read = survey(pcap(frames));
  REQUIRE(read.survey.flows().size() == 2);
  CHECK(read.flow(0).answers_to == 0x31u);
  CHECK(read.flow(1).answers_to == 0x32u);
  frames = {write(100, 0x11), write(100, 0x12), ack(100, 1, 0x32), ack(100, 1, 0x31)};
  frames[0].port = frames[3].port = 50'001;
  frames[1].port = frames[2].port = 50'002;
  read = survey(pcap(frames));
  CHECK(read.flow(0).answers_to == 0x31u);
  CHECK(read.flow(1).answers_to == 0x32u);
}

TEST_CASE("flow: both directions at once, answers before any request, and requests alone") {
  Made back = write(900, 0x22);
  back.from = 1, back.to = 2;
  Made backs_ack = ack(900, 1, 0x11);
  backs_ack.from = 2, backs_ack.to = 1;
  const auto read = survey(pcap({ack(99, 4), write(100), back, backs_ack, ack(100, 5)}));
  REQUIRE(read.survey.flows().size() == 3);
  CHECK_FALSE(read.flow(0).first_psn);
  CHECK(read.flow(1).acks == 1);
  CHECK(read.flow(2).acks == 1);
}

TEST_CASE("flow: a capture that begins and ends within messages") {
  const auto read = survey(pcap({part(7, 10), part(8, 11), part(6, 12), part(7, 13)}));
  CHECK(read.flow().begins_within);
  CHECK(read.flow().messages == 2);
  CHECK(read.flow().cut == 2);
}

TEST_CASE("flow: frames that are missing, and come late") {
  auto read = survey(pcap({part(6, 0), part(7, 1), part(6, 3), part(7, 4), part(8, 5)}));
  CHECK(read.flow().missing == 1);
  CHECK(read.flow().messages == 2);
  CHECK(read.flow().cut == 1);
  read = survey(pcap({part(6, 0), part(8, 2), part(7, 1), part(8, 2)}));
  CHECK(read.flow().missing == 0);
  CHECK(read.flow().late == 1);
  CHECK(read.flow().resent == 1);
  CHECK(read.flow().messages == 1);
  CHECK(read.flow().cut == 0);
  read = survey(pcap({part(7, 1), part(8, 2), part(6, 0)}));  // its beginning comes last
  CHECK(read.flow().messages == 1);
}

TEST_CASE("flow: PSNs wrap; a number that is used again begins another flow") {
  auto read = survey(pcap({write(0xff'ffff), write(0), write(1)}));
  CHECK(read.flow().wraps == 1);
  CHECK(read.flow().messages == 3);
  CHECK(read.flow().missing == 0);
  read = survey(pcap({write(10), ack(10, 1), write(0x40'0000), ack(0x40'0000, 1), write(0x40'0001)}));
  REQUIRE(read.survey.flows().size() == 2);
  CHECK(read.flow(0).acks == 1);
  CHECK(read.flow(1).life == 2);
  CHECK(read.flow(1).acks == 1);
  CHECK(read.flow(1).messages == 2);
}

TEST_CASE("flow: READs take as many PSNs as they have responses") {
  const auto request = [](std::uint32_t psn) {
    return Made{.opcode = 12, .psn = psn, .extension = reth(10'000), .payload = ""};
  };
  const auto response = [](std::uint8_t opcode, std::uint32_t psn, std::size_t n) {
    return Made{.opcode = opcode, .qp = 0x22, .psn = psn, .extension = opcode == 14 ? "" : aeth(0x1f, 1),
                .payload = std::string(n, 'y'), .from = 1, .to = 2, .ask = false};
  };
  const auto read = survey(pcap({request(0), response(13, 0, 4096), response(15, 2, 1808), request(1),
                                 response(13, 1, 4096), response(15, 2, 1808), request(3)}));
  const Flow& flow = read.flow();
  CHECK(flow.mtu == 4096);
  CHECK(flow.answers_missing == 1);
  CHECK(flow.messages == 2);
  CHECK(flow.payload == 20'000);
  CHECK(flow.resent == 1);
  CHECK(flow.missing == 0);
}

TEST_CASE("flow: immediates, invalidates, UC, UD, XRC, marks and CNPs") {
  std::string four, deth, srq;
  put(four, 0xcafe, 4), put(deth, 0x1234, 4), put(deth, 0x55, 4), put(srq, 9, 4);
  Made marked = {.opcode = 0x05, .psn = 0, .extension = four};
  marked.ecn = 3;
  Made cnp = {.opcode = 0x81, .qp = 0x22, .payload = std::string(16, '\0'), .from = 1, .to = 2, .ask = false};
  const auto read = survey(pcap({marked, {.opcode = 0x0b, .psn = 1, .extension = reth(8) + four},
                                 {.opcode = 0x17, .psn = 2, .extension = four}, ack(2, 3), cnp,
                                 {.opcode = 0x24, .qp = 0x50, .psn = 3},
                                 {.opcode = 0x64, .qp = 0x60, .psn = 4, .extension = deth},
                                 {.opcode = 0xaa, .qp = 0x70, .psn = 5, .extension = srq + reth(8)}}));
  CHECK(read.survey.used == 8);
  REQUIRE(read.survey.flows().size() == 4);
  CHECK(read.flow(0).messages == 3);
  CHECK(read.flow(0).payload == 24);
  CHECK(read.flow(0).congested == 1);
  CHECK(read.flow(0).cnps == 1);
  CHECK(read.flow(1).service == Service::uc);
  CHECK(read.flow(2).key.source == 0x55);
  CHECK(read.flow(2).payload == 8);
  CHECK(read.flow(3).service == Service::xrc);
}

TEST_CASE("flow: a frame that was captured twice isn't one that was sent again") {
  Made first = write(1), again = write(1);
  first.id = 7, again.id = 8;
  const auto read = survey(pcap({first, first, again}));
  CHECK(read.flow().copies == 1);
  CHECK(read.flow().resent == 1);
  CHECK(read.flow().packets == 2);
}

TEST_CASE("flow: a long capture takes no more memory than a short one") {
  File file;
  file.begin();
  std::uint32_t psn = 0;
  std::uint64_t messages = 0;
  for (; messages < 30'000; ++messages, psn += 2) file.add(write(psn).frame(), static_cast<std::int64_t>(messages));
  const auto read = survey(file.octets);  // every other PSN is missing, and nothing is ever answered
  CHECK(read.flow().missing == messages - 1);
  CHECK(read.flow().messages == messages);
  CHECK(sizeof(Flow) < 4096);
}

}  // namespace
}  // namespace gicsim::roce
