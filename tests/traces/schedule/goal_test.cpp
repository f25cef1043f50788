// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/goal.h"

#include <doctest/doctest.h>

#include <sstream>

#include "tests/traces/schedule/support.h"

namespace gicsim::schedule {
namespace {

std::vector<Steps> read(const std::string& text) {
  const Folder folder;
  return all_of(*read_goal(folder.write("a.goal", text)));
}

/// What is said against it, without the folder's name.
std::string said(const std::string& text) {
  const Folder folder;
  const std::string file = folder.write("a.goal", text);
  return folder.relative(mistakes_of([&] { all_of(*read_goal(file)); }));
}

TEST_CASE("goal: sends, receives, calculations, labels, needs, comments") {
  const auto all = read(
      "// made by hand\nnum_ranks 2\n/* two\n lines */ rank 0 {\n"
      "l1: calc 100 cpu 2\r\n"
      "a_B9: send 64b to 1 tag 7 cpu 0 nic 3   // to the other\n"
      "recv 8 b from -1 tag -1\n\n"
      "a_B9 requires l1\n"
      "late irequires a_B9\n"
      "late : calc 0\n"
      "l1 requires late\n"
      "}\nrank 1 { recv 64b from 0 tag 7 }\n");
  REQUIRE(all.size() == 2);
  REQUIRE(all[0].size() == 4);
  CHECK(all[0][0].time == 100ns);
  CHECK(all[0][0].lane == 2);
  CHECK(all[0][0].needs == std::vector<Need>{{3, Need::Until::ended}});
  CHECK(all[0][1].action == Action::send);
  CHECK(all[0][1].bytes == 64_B);
  CHECK(all[0][1].peer == 1);
  CHECK(all[0][1].tag == 7);
  CHECK(all[0][1].lane == 3);
  CHECK(all[0][1].needs == std::vector<Need>{{0, Need::Until::ended}});
  CHECK(all[0][2].peer == any_rank);
  CHECK(all[0][2].tag == any_tag);
  CHECK(all[0][3].needs == std::vector<Need>{{1, Need::Until::started}});
  REQUIRE(all[1].size() == 1);
  CHECK(all[1][0].action == Action::recv);
}

TEST_CASE("goal: blocks in any order, each with a cursor of its own, again from the beginning") {
  const Folder folder;
  const auto source = read_goal(
      folder.write("a.goal", "num_ranks 3\nrank 2 {\nl1: calc 2\n}\nrank 0 {\n}\nrank 1 {\nx: calc 1\ny: calc 3\n}\n"));
  Step step;
  CHECK(source->next(1, step));
  CHECK(source->next(2, step));
  CHECK(step.time == 2ns);
  CHECK(step.place == 3);
  CHECK(source->next(1, step));
  CHECK(source->location(1, step).line == 9);
  CHECK_FALSE(source->next(1, step));
  CHECK_FALSE(source->next(1, step));
  CHECK_FALSE(source->next(0, step));
  CHECK(source->progress() > 0);
  CHECK(source->progress() <= 1);
  source->rewind();
  CHECK(all_of(*source)[1].size() == 2);
}

TEST_CASE("goal: written and read, random schedules are the same") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const auto all = random_steps(seed, 1 + seed % 7, 200, false);
    Given given(all);
    std::ostringstream text;
    CHECK(write_goal(given, text).empty());
    const auto again = read(text.str());
    CHECK(again == all);
  }
}

TEST_CASE("goal: what can't be written is counted, and the rest makes sense") {
  Steps steps(4);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].number = i;
  steps[0].time = 1499_ps;
  steps[1].action = Action::send;
  steps[1].peer = 0;
  steps[1].bytes = 8_B;
  steps[1].gap = 5ns;
  steps[1].needs = {{0, Need::Until::issued}};
  steps[1].name = "x\ny";
  steps[2].action = Action::get;
  steps[2].needs = {{1, Need::Until::ended}};
  steps[2].began = 3_ps;
  steps[3].time = 2500_ps;
  steps[3].lane = 300;
  Given given({steps});
  std::ostringstream text;
  const auto lost = write_goal(given, text);
  CHECK(text.str() ==
        "num_ranks 1\n\nrank 0 {\nl0: calc 1\n// x y\ng1: calc 5 cpu 255\ng1 irequires l0\nl1: send 8b to 0 tag 0\nl1 "
        "requires g1\n"
        "l2: calc 0 cpu 255\nl2 requires l1\nl3: calc 3 cpu 300\n}\n");
  REQUIRE(lost.size() == 6);
  CHECK(lost[0].count == 2);  // rounded
  CHECK(lost[0].first == 0);
  CHECK(holds(lost[3].why, "captured"));
  CHECK(read(text.str())[0].size() == 5);
}

TEST_CASE("goal: puts become sends, received at the other end") {
  std::vector<Steps> all(3);
  for (std::uint64_t i = 0; i < 3; ++i) {
    Step put;
    put.number = i;
    put.action = Action::put;
    put.peer = 2;
    put.bytes = i < 2 ? 64_B : 128_B;
    if (i > 0) put.needs = {{i - 1, Need::Until::started}};
    all[1].push_back(put);
  }
  Given given(all);
  std::ostringstream text;
  const auto lost = write_goal(given, text);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].count == 3);
  const auto again = read(text.str());
  CHECK(again[1].size() == 3);
  CHECK(again[1][2].action == Action::send);
  CHECK(again[1][2].needs == std::vector<Need>{{1, Need::Until::started}});
  REQUIRE(again[2].size() == 3);
  CHECK(again[2][1].bytes == 64_B);
  CHECK(again[2][2].bytes == 128_B);
  CHECK(again[2][2].tag == again[1][2].tag);
}

TEST_CASE("goal: each mistake with its place and what to write") {
  const std::string head = "num_ranks 2\nrank 1 {\n}\nrank 0 {\n";
  CHECK(said(head + "l1: send 64 to 1\n}\n") == "a.goal:5:13: 'to' where 'b' should be; write 'send 64b to 0'");
  CHECK(said(head + "l1: send 64b from 1\n}\n") == "a.goal:5:14: 'from' where 'to' should be; write 'send 64b to 0'");
  CHECK(said(head + "l1: send 64b to 2\n}\n") == "a.goal:5:17: rank 2 of 2; write 0 .. 1");
  CHECK(said(head + "l1: send 64b to -1\n}\n") == "a.goal:5:17: '-1' where a rank should be; write a whole number");
  CHECK(said(head + "l1: recv 64b from -2\n}\n") ==
        "a.goal:5:19: '-2' where a rank should be; write a whole number, or -1 for any");
  CHECK(said(head + "l1: calc\n}\n") ==
        "a.goal:5:9: the end of the line where a time in ns should be; write a whole number");
  CHECK(said(head + "l1: calc 5 nic 1\n}\n") ==
        "a.goal:5:12: 'nic' means nothing here; write cpu N, or begin another line");
  CHECK(said(head + "l1: calc 5 cpu 1 cpu 2\n}\n") == "a.goal:5:18: 'cpu' is given twice");
  CHECK(said(head + "l1: put 5b to 1\n}\n") == "a.goal:5:5: 'put' is no operation; write send, recv or calc");
  CHECK(said(head + "l1 calc 5\n}\n") == "a.goal:5:4: 'calc' behind 'l1'; write ':', 'requires' or 'irequires'");
  CHECK(said(head + "l1: calc 5\nl1: calc 6\n}\n") == "a.goal:6:1: 'l1' is a label of rank 0 already; write another");
  CHECK(said(head + "x: calc 5\nx: calc 6\n}\n") == "a.goal:6:1: 'x' is a label of rank 0 already; write another");
  CHECK(said(head + "x: calc 5\nx requires x\n}\n") == "a.goal:6:1: 'x' requires itself and would never begin");
  CHECK(said(head + "x: calc 5\nx requires y\n}\n") == "a.goal:6:12: 'y' is no label of rank 0");
  CHECK(said(head + "x: calc 5\ny requires x\n}\n") == "a.goal:6:1: 'y' is no label of rank 0");
  CHECK(said(head + "x: calc 5\nx requires\n}\n") ==
        "a.goal:6:11: the end of the line is no label; write that of a step of this rank");
  CHECK(holds(said(head + "5: calc 5\n}\n"), "a.goal:5:1: '5' begins no statement; write 'l1: send 64b to 0 tag 0'"));
  CHECK(said(head + "l1: calc 5; l2: calc 6\n}\n") == "a.goal:5:11: ';' means nothing in GOAL");
  CHECK(said("rank 0 {\n}\n") == "a.goal:1:1: 'num_ranks N' has to come first");
  CHECK(said("num_ranks 0\n") == "a.goal:1:11: a schedule of no ranks; write 1 or more");
  CHECK(said("num_ranks 1\nnum_ranks 1\n") == "a.goal:2:1: 'num_ranks' is given twice");
  CHECK(said("num_ranks 1\nrank 1 {\n}\n") == "a.goal:2:6: write 'rank N {', of 0 .. 0");
  CHECK(said("num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n") == "a.goal:4:6: rank 0 has a block already, on line 2");
  CHECK(said("num_ranks 1\nrank 0\n{\n}\n") == "a.goal:2:7: write 'rank 0 {'");
  CHECK(said("num_ranks 1\nl1: calc 5\n") == "a.goal:2:1: between blocks there are only 'num_ranks N' and 'rank N {'");
}

TEST_CASE("goal: cut off, a file says where") {
  CHECK(said("num_ranks 2\nrank 0 {\nl1: calc 5\n}\nrank 1 {\nl1: calc 5\n") ==
        "a.goal:7:1: the file ends inside the block of rank 1, which begins on line 5: it was cut off, or '}' is "
        "missing");
  CHECK(said("num_ranks 2\nrank 0 {\nl1: calc 5\nrank 1 {\n}\n") ==
        "a.goal:4:8: '{' inside the block of rank 0, which begins on line 2; its '}' is missing");
  CHECK(said("num_ranks 2\nrank 0 {\n}\n") ==
        "a.goal:4:1: the file ends without a block of rank 1: 'num_ranks' says 2, here are 1");
  CHECK(said("num_ranks 1\nrank 0 {\n/* l1: calc 5\n}\n") ==
        "a.goal:3:1: this comment has no end; write '*/' behind it");
  CHECK(said("// nothing\n") == "a.goal:2:1: no 'num_ranks N'");
  CHECK(said("") == "a.goal: is empty");
  const std::string whole =
      "num_ranks 2\nrank 0 {\nl1: send 5b to 1 tag 1\nl2: calc 5\nl2 requires l1\n}\nrank 1 {\nrecv 5b from 0 tag 1\n}";
  CHECK(said(whole).empty());
  for (std::size_t n = 0; n < whole.size(); ++n) CHECK(holds(said(whole.substr(0, n)), "a.goal"));
}

TEST_CASE("goal: hostile files cost no memory and don't crash") {
  CHECK(said("num_ranks 4000000000\nrank 0 {\n}\n") == "a.goal:1:11: write 'num_ranks N', of 0 .. 1048576");
  CHECK(holds(said("num_ranks 1000000\nrank 0 {\n}\n"), "without a block of rank 1"));
  CHECK(holds(said("num_ranks 99999999999999999999999\n"), "write 'num_ranks N'"));
  const std::string head = "num_ranks 1\nrank 0 {\n";
  CHECK(
      holds(said(head + "l1: calc 99999999999999999999\n}\n"), "'99999999999999999999'; 9223372036854775 is the most"));
  CHECK(holds(said(head + "l1: send 18446744073709551616b to 0\n}\n"),
              "a number of bytes '18446744073709551616'; 1152921504606846976"));
  CHECK(holds(said(head + "l1: calc 5 cpu 70000\n}\n"), "a cpu '70000'; 65535 is the most"));
  CHECK(holds(said(head + std::string(100'000, 'x') + ": calc 5\n}\n"),
              "a.goal:3:1: a word of more than 4096 characters"));
  CHECK(holds(said(head + "l1: calc " + std::string(100'000, '1') + "\n}\n"), "a word of more than 4096 characters"));
  CHECK(said(head + std::string(1'000'000, ' ') + "l1: calc 5\n}\n").empty());
  CHECK(
      holds(said(head + std::string("\x00\x01\xff", 3) + "\n}\n"), "a.goal:3:1: the byte 0x00 means nothing in GOAL"));
  CHECK(holds(said(head + "l1: calc -5\n}\n"), "'-5' where a time in ns should be"));
  CHECK(holds(said(head + "l1: calc - 5\n}\n"), "'-' where a time in ns should be"));
  std::mt19937 random(7);
  const std::string whole =
      "num_ranks 2\nrank 0 {\nl1: send 5b to 1 tag 1\nl2: calc 5\nl2 requires l1\n}\nrank 1 {\nrecv 5b from 0 tag "
      "1\n}\n";
  for (int i = 0; i < 2000; ++i) {
    std::string text = whole;
    for (int n = 0; n < 3; ++n) text[random() % text.size()] = static_cast<char>(random());
    said(text);
  }
}

TEST_CASE("goal: of a large file, needs stand near their steps") {
  std::string text = "num_ranks 1\nrank 0 {\nfirst: calc 1\n";
  std::string steps;
  for (int i = 0; i < 900'000; ++i) steps += "l" + std::to_string(i) + ": calc 1 cpu 0\n";
  steps += "l899999 requires l5\nl899999 requires first\n";
  CHECK(said(text + steps + "first requires l899999\n}\n") ==
        "a.goal:900006:1: 'first' is 900001 steps back; in a file of this size the needs of a step have to follow it "
        "within 16384");
  const Folder folder;
  const auto counted =
      read_goal(folder.write("a.goal", "num_ranks 1\nrank 0 {\n" + steps.substr(0, steps.size() - 23) + "}\n"));
  const auto all = all_of(*counted);
  CHECK(all[0].back().needs == std::vector<Need>{{5, Need::Until::ended}});
}

TEST_CASE("goal: is known by its first words") {
  CHECK(looks_like_goal("num_ranks 4\n"));
  CHECK(looks_like_goal("\n\n // a\n/* b */ num_ranks\t4\n"));
  CHECK_FALSE(looks_like_goal("num_ranksx"));
  CHECK_FALSE(looks_like_goal("// only a comment"));
  CHECK_FALSE(looks_like_goal("{\"a\": 1}"));
  CHECK_FALSE(looks_like_goal(""));
  CHECK_FALSE(looks_like_goal("/*"));
}

}  // namespace
}  // namespace gicsim::schedule
