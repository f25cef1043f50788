// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/replay.h"

#include <algorithm>

#include "tests/scenarios/whatif/runs.h"
#include "traces/schedule/listed.h"

namespace gicsim {
namespace {

using schedule::Action;
using schedule::Listed;
using schedule::Need;
using schedule::Step;

Step calc(Picoseconds time, std::vector<Need> needs = {}) {
  Step step;
  step.time = time;
  step.needs = std::move(needs);
  return step;
}
Step message(Action action, std::uint32_t peer, Bytes bytes = 8_B, std::vector<Need> needs = {}, std::int64_t tag = 0) {
  Step step;
  step.action = action;
  step.peer = peer;
  step.bytes = bytes;
  step.tag = tag;
  step.needs = std::move(needs);
  return step;
}
Step send(std::uint32_t to, Bytes bytes = 8_B, std::vector<Need> needs = {}, std::int64_t tag = 0) {
  return message(Action::send, to, bytes, std::move(needs), tag);
}
Step receive(std::uint32_t from, std::vector<Need> needs = {}, std::int64_t tag = 0) {
  return message(Action::recv, from, 0_B, std::move(needs), tag);
}

report::Replay play(Listed source, whatif::ReplayRequest request = {}) {
  request.gain = false;
  return whatif::replay(source, request, source_root());
}

/// Rounds of a ring: all send to the next, receive, compute.
Listed ring(std::uint32_t ranks, std::uint32_t rounds, Bytes bytes = 4_KiB) {
  std::vector<std::vector<Step>> steps(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r)
    for (std::uint32_t k = 0; k < rounds; ++k) {
      const std::uint64_t at = steps[r].size();
      const std::vector<Need> before = k == 0 ? std::vector<Need>{} : std::vector<Need>{{at - 1}};
      steps[r].push_back(send((r + 1) % ranks, bytes, before));
      steps[r].push_back(receive((r + ranks - 1) % ranks, before));
      steps[r].push_back(calc(1us, {{at}, {at + 1}}));
    }
  return Listed(std::move(steps));
}

TEST_CASE("replay: a send and its receive take what a put with its signal takes") {
  const report::Finished alone = run({{"pattern", "put_signal"}, {"iterations", "1"}, {"warmup", "0"}});
  const report::Replay replay = play(Listed({{send(1)}, {receive(0)}}));
  REQUIRE(replay.status == Status::done);
  const double completion = record(alone, Quantity::put_completion).value,
               one_way = record(alone, Quantity::one_way).value;
  CHECK(static_cast<double>(replay.ranks[0].ended.count()) == completion * 1000);
  CHECK(static_cast<double>(replay.ranks[1].ended.count()) == one_way * 1000);
}

TEST_CASE("replay: what comes after begins at that picosecond") {
  const report::Replay plain = play(Listed({{send(1)}, {receive(0)}}));
  const report::Replay framed = play(Listed({{calc(1us), send(1, 8_B, {{0}})}, {receive(0), calc(500ns, {{0}})}}));
  // The receiver's poll loop began earlier by 1 us, so it looks at other instants: less than a round of it apart.
  const Picoseconds apart = framed.ranks[1].ended - plain.ranks[1].ended - 1500ns;
  CHECK(std::max(apart, -apart) < 200ns);
  CHECK(framed.ranks[0].ended == plain.ranks[0].ended + 1us);
  CHECK(framed.ranks[1].compute == 500ns);
}

TEST_CASE("replay: the longest chain's parts add up to the makespan, whatever binds") {
  for (const Bytes bytes : {8_B, 4_KiB, 1_MiB}) {
    const report::Replay replay = play(ring(4, 5, bytes));
    REQUIRE(replay.status == Status::done);
    CHECK(report::total(replay.path_rows) == replay.makespan);
    CHECK(replay.messages == 20);
    CHECK(replay.bytes == bytes * 20);
    CHECK(replay.makespan >= 5us);
  }
}

TEST_CASE("replay: equal runs give equal bytes, and another system other times") {
  whatif::ReplayRequest slower;
  slower.set = {{"link.rate", "100 Gbps"}};
  const report::Replay a = play(ring(4, 3, 256_KiB)), b = play(ring(4, 3, 256_KiB)),
                       c = play(ring(4, 3, 256_KiB), slower);
  CHECK(report::json(a) == report::json(b));
  CHECK(c.makespan > a.makespan);
}

TEST_CASE("replay: paths are swapped") {
  for (const auto& [path, stage] :
       {std::pair{"gpu_direct", "build_wqe"}, std::pair{"cpu_doorbell", "proxy_pickup"}, std::pair{"cpu_post", "call"},
        std::pair{"host_staged", "copy"}, std::pair{"cpu_proxy", "proxy_work"},
        std::pair{"stream_triggered", "doorbell_issue"}}) {
    whatif::ReplayRequest request;
    request.set = {{"pattern", "put"}, {"path", path}};
    const report::Replay replay = play(ring(3, 3), request);
    CAPTURE(std::string(path));
    CHECK(replay.status == Status::done);
    CHECK(report::total(replay.path_rows) == replay.makespan);
    CHECK(std::any_of(replay.message_rows.begin(), replay.message_rows.end(),
                      [&](const report::Row& row) { return row.stage == stage; }));
  }
}

TEST_CASE("replay: calcs of one lane follow each other, of two don't; scaled") {
  Step beside = calc(3us);
  beside.lane = 1;
  CHECK(play(Listed({{calc(3us), calc(3us)}})).makespan == 6us);
  CHECK(play(Listed({{calc(3us), beside}})).makespan == 3us);
  whatif::ReplayRequest half;
  half.options.compute = 0.5;
  CHECK(play(Listed({{calc(3us), calc(3us)}}), half).makespan == 3us);
}

TEST_CASE("replay: a need until something has started, or its post returned, comes sooner than until its end") {
  const auto ended = [](Need::Until until) {
    return play(Listed({{send(1), calc(1us, {{0, until}})}, {receive(0)}})).path_rows;
  };
  CHECK(report::total(ended(Need::Until::ended)) > report::total(ended(Need::Until::issued)));
  const report::Replay started = play(Listed({{calc(5us), calc(1us, {{0, Need::Until::started}})}}));
  CHECK(started.makespan == 6us);  // one lane: it waits for that
}

TEST_CASE("replay: tags and any rank; what arrives before it is asked for is kept") {
  const report::Replay tags =
      play(Listed({{send(1, 8_B, {}, 1), send(1, 8_B, {}, 2)}, {receive(0, {}, 2), receive(0, {{0}}, 1)}}));
  CHECK(tags.status == Status::done);
  const report::Replay any =
      play(Listed({{send(2)},
                   {send(2)},
                   {receive(schedule::any_rank, {}, schedule::any_tag), receive(schedule::any_rank, {{0}})}}));
  CHECK(any.status == Status::done);
  const report::Replay late = play(Listed({{send(1)}, {calc(1ms), receive(0, {{0}})}}));
  CHECK(late.makespan < 1'001us);
  CHECK(late.makespan >= 1ms);
}

TEST_CASE("replay: to itself, of no bytes, atomics and gets") {
  const report::Replay own = play(Listed({{send(0), receive(0)}, {}}));
  CHECK(own.status == Status::done);
  CHECK(own.makespan == Picoseconds{});
  const report::Replay none = play(Listed({{send(1, 0_B)}, {receive(0)}}));
  CHECK(none.status == Status::done);
  CHECK(none.bytes == 0_B);
  const report::Replay others = play(Listed({{message(Action::get, 1, 64_KiB), message(Action::fetch_add, 1),
                                              message(Action::compare_swap, 1), message(Action::put, 1)},
                                             {}}));
  CHECK(others.status == Status::done);
  CHECK(others.messages == 4);
}

TEST_CASE("replay: captured begins are kept") {
  Step late = send(1);
  late.began = 40us, late.ended = 43us;
  whatif::ReplayRequest request;
  request.options.start = workloads::ReplayOptions::Start::captured;
  const report::Replay replay = play(Listed({{late}, {receive(0)}}), request);
  const report::Replay at_once = play(Listed({{late}, {receive(0)}}));
  CHECK(replay.ranks[0].ended == at_once.ranks[0].ended + 40us);
  CHECK(replay.captured == 43us);
  REQUIRE(replay.ratios.size() == 1);
  CHECK(replay.ratios[0].ppm.n() == 1);
  CHECK_THROWS_WITH_AS(play(Listed({{send(1)}, {receive(0)}}), request), doctest::Contains("has no times"),
                       ConfigError);
}

TEST_CASE("replay: steps that need each other are named, a receive without a send gets stuck and says so") {
  CHECK_THROWS_WITH_AS(play(Listed({{calc(1us, {{2}}), calc(1us, {{0}}), calc(1us, {{1}})}})),
                       doctest::Contains("in a circle"), ConfigError);
  const report::Replay stuck = play(Listed({{send(1)}, {receive(0), receive(0)}}));
  CHECK(stuck.status == Status::stuck);
  REQUIRE(stuck.diagnosis);
  const std::string first = stuck.diagnosis->waits_for.front();
  CHECK(first.find("rank 1: recv from rank 0") != first.npos);
  CHECK(first.find("list of rank 1:2:1") != first.npos);
}

/// As many steps as one likes; knows how far it was asked.
class Endless final : public schedule::Source {
 public:
  explicit Endless(std::uint64_t n) : n_(n) {}
  std::string format() const override { return "endless"; }
  std::size_t ranks() const override { return 1; }
  bool next(std::size_t, Step& step) override {
    if (at_ == n_) return false;
    step = calc(1ns, at_ == 0 ? std::vector<Need>{} : std::vector<Need>{{at_ - 1}});
    step.number = at_++;
    return true;
  }
  void rewind() override { at_ = 0; }
  double progress() const override { return static_cast<double>(at_) / static_cast<double>(n_); }
  Location location(std::size_t, const Step&) const override { return {"endless"}; }
  std::uint64_t at() const { return at_; }

 private:
  std::uint64_t n_, at_ = 0;
};

TEST_CASE("replay: no more is read than it may look ahead") {
  constexpr std::uint64_t n = 20'000;
  Endless source(n);
  whatif::ReplayRequest request;
  request.gain = false;
  request.options.look_ahead = 100;
  std::uint64_t ended = 0, most = 0;
  request.played = [&](const workloads::Played&) { most = std::max(most, source.at() - ended++); };
  const report::Replay replay = whatif::replay(source, request, source_root());
  CHECK(replay.makespan == 20us);
  CHECK(ended == n);
  CHECK(most <= 101);
}

TEST_CASE("replay: more ranks than the system has nodes for make more nodes; maps are read, and mistakes in them") {
  const report::Replay many = play(ring(24, 1));
  CHECK(many.status == Status::done);
  CHECK(many.ranks[23].where == "node5.gpu3");
  whatif::ReplayRequest request;
  request.map = "nodes";
  CHECK(play(ring(5, 1), request).ranks[4].where == "node4.gpu0");
  request.map = "0=node1.gpu3, 1=node0.gpu2";
  CHECK(play(ring(2, 1), request).ranks[0].where == "node1.gpu3");
  for (const auto& [map, says] :
       {std::pair{"0=node0.gpu0", "rank 1 has no GPU"}, std::pair{"0=node0.gpu0,1=node0.gpu0", "given twice"},
        std::pair{"0=node0.gpu9,1=node0.gpu1", "has 4 GPUs"}, std::pair{"hosts", "doesn't say where"},
        std::pair{"7=node0.gpu1", "isn't a rank"}, std::pair{"somewhere", "neither gpus"},
        std::pair{"0=here", "isn't a GPU"}}) {
    request.map = map;
    CHECK_THROWS_WITH_AS(play(ring(2, 1), request), doctest::Contains(says), ConfigError);
  }
}

}  // namespace
}  // namespace gicsim
