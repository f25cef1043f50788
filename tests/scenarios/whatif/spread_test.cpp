// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/json.h"
#include "scenarios/report/sums.h"
#include "scenarios/report/text.h"
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

/// A polling loop's turn of the posting GPU's threads in own memory.
Picoseconds turn_of(const schema::Scenario& s) {
  const gpu::GpuParams& gpu = s.system.nodes[0].pairs[0].gpu;
  return gpu.l2_load / gpu.clock + gpu.poll_loop / gpu.clock;
}

Picoseconds picoseconds(double nanoseconds) { return Picoseconds{std::llround(nanoseconds * 1000)}; }

TEST_CASE("spread: off, nothing differs between seeds and there is no p99") {
  const report::Finished one = run({{"seed", "1"}}), two = run({{"seed", "2"}});
  for (const Record& r : one.results) {
    CHECK_FALSE(r.p99);
    CHECK(r.value == record(two, r.quantity).value);
    CHECK(r.max == record(two, r.quantity).max);
  }
  CHECK_FALSE(holds(report::text(one), "p99"));
}

TEST_CASE("spread: a poll's phase moves a put by up to half a turn of the loop, and its mean not at all") {
  const Sets off{{"iterations", "2000"}};
  const schema::Scenario s = scenario(with(off, {{"spread.poll_phase", "true"}}));
  const Picoseconds half = turn_of(s) / 2;
  const report::Finished mean = run(off), spread = simulate(s);
  REQUIRE(spread.status == Status::done);
  CHECK(report::imbalances(spread).empty());
  CHECK(value(spread, Quantity::issue) == value(mean, Quantity::issue));
  for (const Quantity quantity : {Quantity::put_completion, Quantity::one_way}) {
    CAPTURE(to_name(quantity));
    const Picoseconds middle = value(mean, quantity);
    const Record& r = record(spread, quantity);
    CHECK(picoseconds(*r.min) >= middle - half);
    CHECK(picoseconds(*r.max) <= middle + half + 1_ps);
    CHECK(picoseconds(*r.min) < middle - half * 9 / 10);
    CHECK(picoseconds(*r.max) > middle + half * 9 / 10);
    CHECK(std::chrono::abs(picoseconds(*r.p50) - middle) < half / 10);
    REQUIRE(r.p99);
    CHECK(*r.p99 > *r.p50);
    CHECK(*r.p99 <= *r.max);
  }
  CHECK(holds(report::text(spread), "p99"));
}

TEST_CASE("spread: the same seed gives the same bytes, another one others") {
  const Sets on{{"spread.poll_phase", "true"}, {"spread.cpu_scheduling", "true"}, {"spread.cpu_away_every", "10"},
                {"spread.clock_crossing", "true"}};
  for (const char* path : {"gpu_direct", "cpu_proxy"}) {
    const auto report_of = [&](const char* seed) {
      return report::json(run(with(on, {{"path", path}, {"seed", seed}})));
    };
    const std::string first = report_of("1");
    CHECK(first == report_of("1"));
    CHECK(first != report_of("2"));
  }
}

TEST_CASE("spread: a core that is away now and then lengthens the tail and leaves the median") {
  const Sets proxy{{"path", "cpu_proxy"}, {"iterations", "1000"}};
  const report::Finished there = run(proxy);
  const report::Finished away = run(with(proxy, {{"spread.cpu_scheduling", "true"},
                                                 {"spread.cpu_away_every", "40"},
                                                 {"spread.cpu_away", "20 us"}}));
  const Record& r = record(away, Quantity::put_completion);
  CHECK(value(away, Quantity::put_completion) == value(there, Quantity::put_completion));
  CHECK(picoseconds(*r.min) == value(there, Quantity::put_completion));
  CHECK(picoseconds(*r.p99) > value(there, Quantity::put_completion) + 5us);
  CHECK(report::imbalances(away).empty());
  std::int64_t found_away = 0;
  for (const report::Counter& counter : away.counters)
    if (counter.name == "away") found_away += counter.value;
  // 2020 wake-ups (requests and completions), one in 40 of them: 50.5 +- 7.
  CHECK(found_away > 25);
  CHECK(found_away < 80);
}

TEST_CASE("spread: clock crossings are worth nanoseconds, and streams stay in order") {
  const report::Finished mean = run({}), spread = run({{"spread.clock_crossing", "true"}});
  const Record& r = record(spread, Quantity::put_completion);
  CHECK(*r.max > *r.min);
  CHECK(*r.max - *r.min < 20);
  CHECK(std::chrono::abs(value(spread, Quantity::put_completion) - value(mean, Quantity::put_completion)) < 3ns);
  for (const char* path : {"gpu_direct", "cpu_proxy"}) {
    const report::Finished stream =
        run({{"spread.clock_crossing", "true"}, {"pattern", "put_bw"}, {"path", path}, {"bytes", "20000 B"},
             {"iterations", "200"}, {"batch", "4"}});
    CHECK(stream.status == Status::done);
  }
}

}  // namespace
}  // namespace gicsim
