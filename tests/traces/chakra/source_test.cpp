// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/traces/chakra/support.h"

using namespace gicsim;
using namespace gicsim::chakra;
using namespace std::chrono_literals;
using schedule::Action;
using schedule::Step;

TEST_CASE("chakra: four ranks as PyTorch's converter writes them play to their end") {
  const auto source = open({sample("train")});
  CHECK(source->format() == "Chakra execution trace, protobuf");
  REQUIRE(source->ranks() == 4);
  const auto all = all_steps(*source);
  const schedule::Play play(all);
  CHECK(play.stuck.empty());
  // Pairs gather 256 KiB each; 64 KiB go around; four reduce 4 MiB in a ring, 2 x 3/4 of it a rank.
  CHECK(play.bytes == 256_KiB * 4 + 64_KiB * 4 + 4_MiB * 2 * 3);
  const auto named = [&](const std::string& name) {
    for (const Step& step : all[1])
      if (step.name == name) return step;
    return Step{};
  };
  CHECK(named("sm90_xmma_gemm").time == 180us);
  CHECK(named("ncclDevKernel_SendRecv").peer == 2);
  CHECK(named("ncclDevKernel_SendRecv").tag == 5);
  CHECK(source->unused().empty());
  CHECK(source->progress() == doctest::Approx(1));
  source->rewind();
  CHECK(all_steps(*source) == all);
}

TEST_CASE("chakra: both JSON forms say the same") {
  const auto plain = open({sample("jsonizer.0.json"), sample("jsonizer.1.json")});
  const auto flat = open({sample("feeder.1.json"), sample("feeder.0.json")});
  const auto a = all_steps(*plain), b = all_steps(*flat);
  CHECK(schedule::Play(a).stuck.empty());
  CHECK(schedule::Play(a).bytes == 64_KiB * 2 + 4096_B);
  REQUIRE(a[0].size() == b[0].size());
  for (std::size_t i = 0; i < a[0].size(); ++i) {
    CHECK(a[0][i].time == b[0][i].time);
    CHECK(a[0][i].bytes == b[0][i].bytes);
    CHECK(a[0][i].needs == b[0][i].needs);
  }
  CHECK(a[1][1].began == 0ns);  // the earliest start there is
  CHECK(a[1][1].ended == 50us);
  const auto at = contents(sample("jsonizer.1.json")).find("{\n  \"id\": \"1\"");
  CHECK(holds(to_text(plain->location(1, a[1][1])), "jsonizer.1.json: byte " + std::to_string(at)));
}

TEST_CASE("chakra: attributes of any integer kind, and needs packed or not") {
  const Folder folder;
  const auto send = [](int kind, std::uint64_t v) {
    return Made{.id = 1, .type = 5, .attributes = attribute("comm_dst", kind, v) + attribute("comm_size", 13, 100)}
        .text();
  };
  folder.write("x.1.et",
               metadata + Made{.id = 4, .us = 2}.text() +
                   message(number(1, 5) + octets(2, "p") + number(3, 4) + octets(4, varint(4)) + octets(5, varint(4))));
  for (const auto& [kind, value] : {std::pair{7, 1ull}, {9, 1ull}, {11, 1ull}, {13, 1ull}, {15, 2ull}, {17, 2ull}}) {
    folder.write("x.0.et", metadata + send(kind, value));
    Step step;
    REQUIRE(open({folder.path() + "/x"})->next(0, step));
    CHECK(step.action == Action::send);
    CHECK(step.peer == 1);
    CHECK(step.bytes == 100_B);
  }
  const auto all = all_steps(*open({folder.path() + "/x"}));
  REQUIRE(all[1].size() == 2);
  CHECK(all[1][1].needs.size() == 2);
  CHECK(all[1][1].needs[0].step == 0);
}

TEST_CASE("chakra: a node that needs a later one, and a collective that a later one needs") {
  const Folder folder;
  for (const char* rank : {"0", "1"})
    folder.write(
        std::string("x.") + rank + ".et",
        metadata + Made{.id = 1, .name = "first", .needs = {9}, .us = 1}.text() +
            Made{.id = 9, .name = "AllReduce", .type = 7, .needs = {3}, .attributes = attribute("comm_size", 9, 64)}
                .text() +
            Made{.id = 3, .name = "last", .us = 5}.text());
  const auto all = all_steps(*open({folder.path() + "/x"}));
  CHECK(schedule::Play(all).stuck.empty());
  CHECK(all[0][0].needs.size() == 1);
  const Step& end = all[0][all[0][0].needs[0].step];
  CHECK(end.name == "AllReduce");
  CHECK(end.number == all[0].size() - 2);
}

TEST_CASE("chakra: circles are named") {
  const Folder folder;
  folder.write("x.0.et",
               metadata + Made{.id = 1, .name = "a"}.text() + Made{.id = 2, .name = "b", .needs = {1, 4}}.text() +
                   Made{.id = 3, .name = "c", .needs = {2}}.text() + Made{.id = 4, .name = "d", .needs = {3}}.text());
  const auto said = folder.relative(mistakes_of([&] { all_steps(*open({folder.path() + "/x"})); }));
  CHECK(said == "x.0.et: rank 0: nodes need one another in a circle: 2 'b' needs 4 'd' needs 3 'c' needs 2");
  folder.write("y.0.et", metadata + Made{.id = 7, .name = "self", .needs = {7}}.text());
  CHECK(holds(mistakes_of([&] { all_steps(*open({folder.path() + "/y"})); }), "node 7 'self': it needs itself"));
  // Among collectives, whose steps fill what is held: before a step of it is given away.
  for (const char* rank : {"0", "1"}) {
    std::string text = metadata;
    for (std::uint64_t id = 1; id <= 8000; ++id)
      text += Made{.id = id,
                   .type = 7,
                   .needs = id == 11   ? std::vector<std::uint64_t>{12}
                            : id == 12 ? std::vector<std::uint64_t>{11}
                                       : std::vector<std::uint64_t>{},
                   .attributes = attribute("comm_size", 9, 64) + attribute("comm_type", 9, 0)}
                  .text();
    folder.write(std::string("w.") + rank + ".et", text);
  }
  Step step;
  CHECK(holds(mistakes_of([&] { open({folder.path() + "/w"})->next(0, step); }), "11 'n' needs 12 'n' needs 11"));
  // Behind many others.
  std::string many = metadata;
  for (std::uint64_t id = 1; id <= 40'000; ++id)
    many += Made{.id = id,
                 .needs = id == 30'000   ? std::vector<std::uint64_t>{33'000}
                          : id == 33'000 ? std::vector<std::uint64_t>{30'000}
                                         : std::vector<std::uint64_t>{}}
                .text();
  folder.write("z.0.et", many);
  CHECK(holds(mistakes_of([&] { all_steps(*open({folder.path() + "/z"})); }), "30000 'n' needs 33000 'n' needs 30000"));
}

TEST_CASE("chakra: what can't be played takes the time that it took, and is counted") {
  const Folder folder;
  folder.write(
      "x.0.et",
      metadata +
          Made{.id = 1, .type = 7, .us = 40, .attributes = attribute("comm_size", 9, 64) + attribute("comm_type", 9, 0)}
              .text() +
          Made{.id = 2, .type = 5, .us = 3, .attributes = attribute("comm_size", 9, 64)}.text() +
          Made{.id = 3, .type = 6, .us = 4, .attributes = attribute("comm_src", 7, 5) + attribute("comm_size", 9, 64)}
              .text() +
          Made{.id = 4, .needs = {77}, .us = 1, .attributes = attribute("num_ops", 9, 64)}.text() +
          Made{.id = 5, .us = 0, .attributes = attribute("num_ops", 9, 64)}.text());
  const auto source = open({folder.path() + "/x.0.et"});
  const auto all = all_steps(*source);
  CHECK(all[0][0].time == 40us);
  CHECK(all[0][2].time == 4us);
  REQUIRE(source->unused().size() == 5);
  CHECK(holds(source->unused()[0].why, "a collective among ranks whose traces aren't given"));
  CHECK(holds(source->unused()[1].why, "a send without comm_dst"));
  CHECK(holds(source->unused()[2].why, "a receive whose other rank isn't given"));
  CHECK(holds(source->unused()[3].why, "operations or bytes of memory without a time"));
  CHECK(holds(source->unused()[4].why, "a dependency on a node that isn't among"));
}

TEST_CASE("chakra: groups from a file, or by who has collectives of their name") {
  const Folder folder;
  const auto rank = [&](int r, const std::string& group) {
    folder.write("x." + std::to_string(r) + ".et",
                 metadata + Made{.id = 1,
                                 .type = 7,
                                 .attributes = attribute("comm_type", 9, 2) + attribute("comm_size", 9, 10) +
                                               octets(10, octets(1, "pg_name") + octets(29, group))}
                                .text());
  };
  for (int r = 0; r < 4; ++r) rank(r, r % 2 ? "odd" : "even");
  const auto found = open({folder.path() + "/x"});
  const auto a = all_steps(*found);
  CHECK(schedule::Play(a).stuck.empty());
  CHECK(schedule::Play(a).bytes == 40_B);
  CHECK(holds(found->notes().back(), "who is in a group is nowhere said"));
  const std::string groups = folder.write("groups.json", R"({"even": [0, 2], "odd": [3, 1]})");
  CHECK(schedule::Play(all_steps(*open({folder.path() + "/x", groups}))).bytes == 40_B);
  folder.write("groups.json", R"({"even": [1, 2], "odd": [3, 1]})");
  CHECK(holds(mistakes_of([&] {
                all_steps(*open({folder.path() + "/x", groups}));
              }),
              "node 1 'n': rank 0 isn't in its group 'even'"));
  folder.write("groups.json", R"({"even": [0, "two"]})");
  CHECK(holds(mistakes_of([&] { open({folder.path() + "/x", groups}); }), "'two' is no rank"));
}

TEST_CASE("chakra: what protobuf's own library writes, attributes of all kinds; involved_dim is told") {
  const auto source = open({sample("reference")});
  REQUIRE(source->ranks() == 2);
  const auto all = all_steps(*source);
  const schedule::Play play(all);
  CHECK(play.stuck.empty());
  CHECK(play.bytes == 2_MiB + 4_KiB);  // 1 MiB reduced in a ring of two, a message
  CHECK(all[0].back().tag == 3);
  CHECK(all[0].back().peer == 1);
  REQUIRE(source->unused().size() == 1);
  CHECK(holds(source->unused()[0].why, "involved_dim"));
  CHECK(source->unused()[0].count == 2);
}

TEST_CASE("chakra: involved_dim in JSON; all dimensions are nothing to tell") {
  const Folder folder;
  for (const auto& [dims, told] : {std::pair{"true, false", 1u}, {"true, true", 0u}}) {
    for (const char* rank : {"0", "1"})
      folder.write(
          std::string("x.") + rank + ".json",
          std::string(R"({"workload_graph": [{"id": 1, "name": "a", "type": 7, "comm_size": 64, "comm_type": 0, )") +
              R"("involved_dim": [)" + dims + "]}]}");
    const auto source = open({folder.path() + "/x.0.json", folder.path() + "/x.1.json"});
    all_steps(*source);
    CHECK(source->unused().size() == told);
  }
}
