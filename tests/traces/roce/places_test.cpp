// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// One file of several interfaces: each packet is seen more than once, and each message counts once.
#include <doctest/doctest.h>

#include "tests/traces/roce/support.h"
#include "traces/export/pcapng.h"

namespace gicsim::roce {
namespace {

namespace ng = exports::pcapng;
constexpr auto in = ng::Direction::inbound, out = ng::Direction::outbound, unknown = ng::Direction::unknown;

/// pcapng of frames, where and when they were captured.
struct Places {
  std::string octets = ng::section({});
  Places& interface(const std::string& name, ng::Link link = ng::Link::ethernet) {
    octets += ng::interface({name, "", link, BitRate::bits_per_second(1)}, ng::Resolution::nanoseconds);
    return *this;
  }
  Places& add(std::uint32_t at, std::int64_t ns, ng::Direction direction, const std::string& frame) {
    std::string block = ng::packet(at, frame, direction, "a comment");
    ng::stamp(block.data(), Picoseconds(ns * 1000), ng::Resolution::nanoseconds);
    octets += block;
    return *this;
  }
};

std::string write(std::uint32_t psn) { return Made{.psn = psn, .extension = reth(8)}.frame(); }
std::string ack(std::uint32_t psn) {
  return Made{.opcode = 0x11, .qp = 0x22, .psn = psn, .extension = aeth(0x1f, psn + 1), .payload = "", .from = 1, .to = 2}.frame();
}

/// Three writes of which the second is lost on its way, and so is the last one's ACK.
Places lossy(bool flags) {
  const auto o = flags ? out : unknown, i = flags ? in : unknown;
  Places file;
  file.interface("far").interface("near");
  file.add(1, 10, o, write(0)).add(0, 20, i, write(0)).add(0, 25, o, ack(0)).add(1, 35, i, ack(0));
  file.add(1, 40, o, write(1));
  file.add(1, 90, o, write(1)).add(0, 100, i, write(1)).add(0, 105, o, ack(1)).add(1, 115, i, ack(1));
  file.add(1, 120, o, write(2)).add(0, 130, i, write(2)).add(0, 135, o, ack(2));
  return file;
}

TEST_CASE("places: a flow is the one at the port that sent its requests; what the other lacks got lost") {
  for (const bool flags : {true, false}) {
    const auto read = survey(lossy(flags).octets);
    CHECK(read.wrong.empty());
    REQUIRE(read.survey.flows().size() == 1);
    const Flow& flow = read.flow();
    CHECK(read.survey.places()[flow.key.place].name == "near");
    CHECK(flow.messages == 3);
    CHECK(flow.payload == 24);
    CHECK(flow.packets == 4);
    CHECK(flow.resent == 1);
    CHECK(flow.acks == 2);
    CHECK(flow.answered.n() == 1);
    CHECK(flow.answered.most() == 25);  // the second was sent again, the third isn't answered here
    REQUIRE(flow.elsewhere.size() == 1);
    CHECK(flow.elsewhere[0]->packets == 3);
    CHECK(flow.elsewhere[0]->acks == 3);
    CHECK(read.survey.frames == 12);
  }
}

TEST_CASE("places: the report names them, and what didn't get there") {
  const Folder folder;
  const Info info = read_info(folder.write("f.pcapng", lossy(true).octets));
  const std::string text = to_text(info);
  CHECK(holds(text, "interfaces   far (6 frames), near (6 frames)"));
  CHECK(holds(text, "seen at      near, and at far: 1 of 4 requests, 1 of 3 answers didn't get there"));
  std::vector<Info> all;
  all.push_back(read_info(folder.write("f.pcapng", lossy(true).octets)));
  const std::string json = to_json(all);
  CHECK(holds(json, "\"interface\": \"near\""));
  CHECK(holds(json, "\"interface\": \"far\",\n              \"requests\": 3"));
  const Info plain = read_info(sample_path("rxe-write-4KiB"));
  CHECK_FALSE(holds(to_text(plain), "seen at"));
}

TEST_CASE("places: flags count more than clocks, which may differ") {
  Places file;
  file.interface("near").interface("far");
  file.add(1, 5, in, write(0)).add(0, 10, out, write(0));
  const auto read = survey(file.octets);
  REQUIRE(read.survey.flows().size() == 1);
  CHECK(read.survey.places()[read.flow().key.place].name == "near");
}

TEST_CASE("places: a bond's ports may each have one direction") {
  Places file;
  file.interface("a").interface("b");
  file.add(0, 10, out, write(0)).add(1, 35, in, ack(0)).add(0, 40, out, write(1)).add(1, 65, in, ack(1));
  const auto read = survey(file.octets);
  REQUIRE(read.survey.flows().size() == 1);
  CHECK(read.flow().acks == 2);
  CHECK(read.flow().answered.n() == 2);
  CHECK(read.flow().elsewhere.empty());
}

TEST_CASE("places: sections of one file may name the same interface, and number it anew") {
  Places file;
  file.interface("a").interface("b").add(1, 10, out, write(0));
  file.octets += Places().interface("b").add(0, 20, out, write(1)).octets;
  const auto read = survey(file.octets);
  REQUIRE(read.survey.flows().size() == 1);
  CHECK(read.flow().messages == 2);
  REQUIRE(read.survey.places().size() == 2);
  CHECK(read.survey.places()[1].frames == 2);
}

TEST_CASE("places: names that would upset a terminal, options that don't fit, and no end of interfaces") {
  Places file;
  file.interface("a\x1b[2J\n").add(0, 10, out, write(0));
  CHECK(survey(file.octets).survey.places().at(0).name == "a?[2J?");
  std::string longer = Places().interface("a").add(0, 10, out, write(0)).octets;
  longer[longer.rfind("a comment") - 2] = '\x7f';  // the comment's length
  CHECK(holds(survey(longer).wrong, "an option of 127 B doesn't fit in"));
  Places many;
  for (int i = 0; i < 65'537; ++i) many.interface("x");
  CHECK(holds(survey(many.octets).wrong, "more than 65536 interfaces"));
}

}  // namespace
}  // namespace gicsim::roce
