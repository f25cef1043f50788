// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "tests/traces/schedule/support.h"
#include "traces/schedule/goal.h"

namespace gicsim::schedule {
namespace {

void put(std::string& s, std::uint64_t value, int octets) {
  for (int i = 0; i < octets; ++i) s += static_cast<char>(value >> 8 * i);
}

/// As LogGOPSim's txt2bin writes it: all nodes, then for each those that need its end and those that need its begin.
std::string binary(const std::vector<Steps>& all, std::size_t extra = 0) {
  std::string table, parts;
  const std::size_t first = 6 + 16 * all.size();
  for (const Steps& steps : all) {
    std::string nodes, list;
    std::uint64_t listed = 0, roots = 0;
    for (const Step& step : steps) {
      const bool calc = step.action == Action::calc;
      put(nodes, step.needs.size(), 4);
      put(nodes, calc ? 3 : step.action == Action::send ? 1 : 2, 1);
      put(nodes, calc ? 0 : step.peer, 4);
      put(nodes, static_cast<std::uint64_t>(calc ? step.time.count() / 1000 : step.bytes.count()), 8);
      put(nodes, static_cast<std::uint64_t>(step.tag), 4);
      put(nodes, calc ? step.lane : 0, 1);
      put(nodes, calc ? 0 : step.lane, 1);
      for (const Need::Until until : {Need::Until::ended, Need::Until::started}) {
        std::string who;
        for (const Step& other : steps)
          for (const Need& need : other.needs)
            if (need == Need{step.number, until}) put(who, other.number, 4);
        put(nodes, who.size() / 4, 4);
        put(nodes, listed, 4);
        listed += who.size() / 4;
        list += who;
      }
      nodes.append(extra, '\0');
      if (step.needs.empty()) ++roots;
    }
    put(table, first + parts.size(), 8);
    put(parts, steps.size(), 4);
    put(parts, roots, 4);
    for (const Step& step : steps)
      if (step.needs.empty()) put(parts, step.number, 4);
    parts += nodes + list;
    put(table, first + parts.size(), 8);
  }
  std::string text;
  put(text, 4223, 8);
  put(text, all.size(), 4);
  put(text, 0, 2);
  return text + table + parts;
}

std::vector<Steps> sorted(std::vector<Steps> all) {
  for (Steps& steps : all)
    for (Step& step : steps)
      std::sort(step.needs.begin(), step.needs.end(),
                [](const Need& a, const Need& b) { return std::pair(a.step, a.until) < std::pair(b.step, b.until); });
  return all;
}

std::vector<Steps> narrow(unsigned seed) {
  std::vector<Steps> all = random_steps(seed, 1 + seed % 5, 100, false);
  for (Steps& steps : all)
    for (Step& step : steps) step.lane %= 200;
  return all;
}

std::string said(const std::string& text) {
  const Folder folder;
  const std::string file = folder.write("a.bin", text);
  return folder.relative(mistakes_of([&] { all_of(*read_goal(file)); }));
}

TEST_CASE("goal: the binary form says what the text says") {
  const Folder folder;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto all = sorted(narrow(seed));
    const auto source = read_goal(folder.write("a.bin", binary(all)));
    CHECK(source->format() == "GOAL, binary");
    CHECK(sorted(all_of(*source)) == all);
    source->rewind();
    CHECK(sorted(all_of(*source)) == all);
  }
  CHECK(looks_like_goal_binary(binary(narrow(1))));
  CHECK_FALSE(looks_like_goal_binary("num_ranks 4"));
  CHECK_FALSE(looks_like_goal_binary("\x7f\x10"));
}

TEST_CASE("goal: a binary form of another generator is known, and refused") {
  CHECK(holds(said(binary(narrow(2), 65)), "written by LogGOPSim2, whose nodes take 104 B; give the text"));
  CHECK(holds(said(binary(narrow(2), 1)), "don't make up its"));
}

TEST_CASE("goal: a binary form that is cut off or damaged says at which byte") {
  const auto all = narrow(3);
  const std::string whole = binary(all);
  REQUIRE(said(whole).empty());
  for (std::size_t n = 8; n < whole.size(); n += 1 + n / 50) CHECK(holds(said(whole.substr(0, n)), "a.bin: byte "));
  std::string claims = whole;
  claims.replace(8, 4, "\xff\xff\xff\xff");
  CHECK(said(claims) == "a.bin: byte 8: 4294967295 ranks; 1 .. 1048576 are read");
  claims.replace(8, 4, std::string("\0\0\x08\0", 4));
  CHECK(holds(said(claims), "the file ends inside the table of ranks"));
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string changed = whole;
    for (int n = 0; n < 3; ++n) changed[8 + random() % (changed.size() - 8)] = static_cast<char>(random());
    said(changed);
  }
}

}  // namespace
}  // namespace gicsim::schedule
