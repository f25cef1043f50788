// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/make.h"

#include <doctest/doctest.h>

#include <sstream>

#include "tests/traces/schedule/play.h"
#include "tests/traces/schedule/support.h"
#include "traces/schedule/goal.h"
#include "traces/schedule/info.h"

namespace gicsim::schedule {
namespace {

struct Sum {
  std::uint64_t sends = 0, receives = 0;
  Bytes out{}, in{};
  Picoseconds time{};
};

Sum sum(const Steps& steps) {
  Sum all;
  for (const Step& step : steps) {
    all.time += step.time;
    if (step.action == Action::send) ++all.sends, all.out += step.bytes;
    if (step.action == Action::recv) ++all.receives, all.in += step.bytes;
  }
  return all;
}

std::vector<Steps> made(const Making& making) { return all_of(*make(making)); }

TEST_CASE("make: a ring all-reduce of n ranks, k times") {
  const auto all =
      made({.what = Workload::ring_all_reduce, .ranks = 6, .bytes = 6000_B, .compute = 100us, .iterations = 3});
  for (const Steps& steps : all) {
    CHECK(sum(steps).sends == 3 * 2 * 5);
    CHECK(sum(steps).receives == 30);
    CHECK(sum(steps).out == 3 * 2 * 5 * 1000_B);
    CHECK(sum(steps).time == 300us);
  }
  CHECK(Play(all).stuck.empty());
}

TEST_CASE("make: a tree all-reduce and an all-to-all") {
  const auto tree = made({.what = Workload::tree_all_reduce, .ranks = 9, .bytes = 1_MiB, .iterations = 2});
  CHECK(Play(tree).stuck.empty());
  CHECK(Play(tree).bytes == 2 * 2 * 8 * 1_MiB);
  const auto all = made({.what = Workload::all_to_all, .ranks = 5, .bytes = 5000_B, .iterations = 4});
  CHECK(Play(all).stuck.empty());
  for (const Steps& steps : all) CHECK(sum(steps).out == 4 * 4 * 1000_B);
}

TEST_CASE("make: a pipeline, one forward one backward") {
  for (const std::size_t batches : {1u, 2u, 4u, 9u}) {
    const auto all = made({.what = Workload::pipeline,
                           .ranks = 4,
                           .bytes = 100_B,
                           .compute = 1us,
                           .iterations = 2,
                           .layers = 6,
                           .micro_batches = batches});
    const Play play(all);
    CHECK(play.stuck.empty());
    CHECK(play.messages == 2 * 2 * 3 * batches);
    const Picoseconds layers[] = {1us, 2us, 1us, 2us};
    for (std::size_t r = 0; r < 4; ++r) {
      CHECK(sum(all[r]).time == layers[r] * 3 * 2 * static_cast<std::int64_t>(batches));
      CHECK(sum(all[r]).sends == sum(all[r]).receives);
    }
  }
  const auto all = made({.what = Workload::pipeline, .ranks = 3, .compute = 1us, .micro_batches = 4});
  std::string order;
  for (const Step& step : all[1])
    if (step.action == Action::calc) order += step.name[0];
  CHECK(order == "ffbfbfbb");
}

TEST_CASE("make: experts get all tokens, no token twice, differently each time, the same for a seed") {
  for (const std::size_t experts : {1u, 3u, 8u, 16u, 20u})
    for (const std::size_t top_k : {1u, 2u, 3u}) {
      if (top_k > experts) continue;
      const Making making{.what = Workload::moe, .ranks = 8, .experts = experts, .top_k = top_k, .tokens = 100};
      for (std::size_t from = 0; from < 8; ++from) {
        std::int64_t tokens = 0;
        for (std::size_t to = 0; to < 8; ++to) {
          const std::int64_t here = tokens_between(making, 5, from, to);
          CHECK(here >= 0);
          CHECK(here <= 100 * static_cast<std::int64_t>((experts + 7 - to) / 8));
          tokens += here;
        }
        CHECK(tokens == static_cast<std::int64_t>(100 * top_k));
      }
    }
  Making making{
      .what = Workload::moe, .ranks = 8, .bytes = 25600_B, .compute = 1us, .iterations = 2, .layers = 3, .experts = 16};
  const auto all = made(making);
  const Play play(all);
  CHECK(play.stuck.empty());
  CHECK(play.bytes > 2 * 3 * 2 * 8 * 25600_B);  // top 2, there and back, less what stays
  CHECK(play.bytes < 2 * 3 * 2 * 8 * 2 * 25600_B);
  CHECK(made(making) == all);
  making.seed = 2;
  CHECK(made(making) != all);
}

TEST_CASE("make: mistakes") {
  CHECK(holds(mistakes_of([] { make({.what = Workload::moe, .ranks = 2, .top_k = 3}); }),
              "3 of 2 experts for each token; write 1 .. 2"));
  CHECK(holds(mistakes_of([] { make({.what = Workload::pipeline, .ranks = 4, .layers = 3}); }),
              "3 layers don't reach 4 ranks"));
}

TEST_CASE("make: written as GOAL, read, the same but for names; what is in it") {
  for (const Workload what : {Workload::ring_all_reduce, Workload::tree_all_reduce, Workload::all_to_all,
                              Workload::pipeline, Workload::moe}) {
    const Making making{.what = what, .ranks = 7, .bytes = 70_KiB, .compute = 3us, .iterations = 2};
    const Folder folder;
    std::ostringstream text;
    const auto source = make(making);
    write_goal(*source, text);
    const auto read = read_goal(folder.write("a.goal", text.str()));
    source->rewind();
    auto all = all_of(*source);
    for (Steps& steps : all)
      for (Step& step : steps) {
        step.name.clear();
        if (what == Workload::moe) step.time = Picoseconds{(step.time.count() + 500) / 1000 * 1000};
      }
    CHECK(all_of(*read) == all);
    read->rewind();
    const Info info = read_info(*read, "a.goal");
    CHECK(info.ranks == 7);
    CHECK(info.messages == Play(all).messages);
    CHECK(info.bytes == Play(all).bytes);
    CHECK(info.unmatched_ranks == 0);
    CHECK(info.chain_exact);
    CHECK(holds(to_text(info), "a.goal: GOAL; 7 ranks"));
    CHECK(holds(to_json({info}), "\"schema\": \"gicsim.trace/1\""));
  }
}

TEST_CASE("info: what doesn't fit together is said") {
  Steps one(3), two(1);
  for (std::size_t i = 0; i < 3; ++i) one[i].number = i;
  one[0].action = Action::send;
  one[0].peer = 1;
  one[0].bytes = 10_B;
  one[1].needs = {{0, Need::Until::ended}};
  one[1].time = 5ns;
  one[1].began = 100ns;
  one[1].ended = 200ns;
  one[2].needs = {{1, Need::Until::ended}};
  Given given({one, two, {}});
  const Info info = read_info(given, "x");
  CHECK(info.unmatched_ranks == 1);
  CHECK(info.unmatched.at(0).rank == 1);
  CHECK(info.chain == 3);
  CHECK(info.silent_ranks == 1);
  CHECK(*info.ended - *info.began == 100ns);
  const std::string text = to_text(info);
  CHECK(holds(text, "x: given; 3 ranks, 4 steps; 1 message, 10 B"));
  CHECK(holds(text, "rank 1: 1 message sent to it, 0 receives"));
  CHECK(holds(text, "100 ns, 1 step with captured times"));
  one[0].needs = {{2, Need::Until::ended}};
  Given ahead({one});
  CHECK_FALSE(read_info(ahead, "x").chain_exact);
}

}  // namespace
}  // namespace gicsim::schedule
