// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/report/json.h"
#include "scenarios/report/sums.h"
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

const Sets everything[] = {
    {},
    {{"queues", "host"}},
    {{"payload", "read"}, {"bytes", "20000 B"}},
    {{"bytes", "100 B"}},
    {{"ordering", "sys_fence"}, {"library", "gdaki"}},
    {{"pattern", "ping_pong"}},
    {{"pattern", "ping_pong"}, {"queues", "host"}},
    {{"path", "cpu_proxy"}},
    {{"path", "cpu_proxy"}, {"proxy", "baseline"}},
    {{"path", "cpu_proxy"}, {"pattern", "ping_pong"}, {"proxy", "ibrc"}},
    {{"path", "cpu_proxy"}, {"pattern", "put_bw"}, {"batch", "4"}, {"iterations", "100"}},
    {{"pattern", "put_bw"}, {"batch", "16"}, {"depth", "64"}, {"iterations", "200"}},
    {{"threads", "4"}, {"qps", "4"}},
    {{"path", "cpu_post"}},
    {{"path", "cpu_post"}, {"gdr", "none"}, {"bytes", "100 B"}},
    {{"path", "cpu_post"}, {"gdr", "write"}, {"pattern", "ping_pong"}},
    {{"path", "cpu_post"}, {"pattern", "put_bw"}, {"batch", "4"}, {"iterations", "100"}, {"threads", "2"}},
    {{"path", "cpu_doorbell"}, {"queues", "host"}, {"ordering", "sys_fence"}},
    {{"path", "cpu_doorbell"}, {"pattern", "ping_pong"}},
    {{"path", "cpu_doorbell"}, {"pattern", "put_bw"}, {"batch", "4"}, {"iterations", "100"}, {"threads", "2"}},
    {{"path", "host_staged"}, {"bytes", "20000 B"}},
    {{"path", "host_staged"}, {"bytes", "100000 B"}, {"staging", "pageable"}},
    {{"path", "host_staged"}, {"pattern", "ping_pong"}},
    {{"path", "host_staged"}, {"pattern", "put_bw"}, {"bytes", "20000 B"}, {"iterations", "50"}, {"threads", "2"}},
    {{"path", "stream_triggered"}},
    {{"path", "stream_triggered"}, {"pattern", "ping_pong"}},
    {{"path", "stream_triggered"}, {"pattern", "put_bw"}, {"batch", "4"}, {"iterations", "100"}, {"threads", "2"}},
    {{"lazy_init", "on"}, {"warmup", "0"}},
};

TEST_CASE("ledger: its rows add up to the headline, both branches to their own figure") {
  for (const char* system : both_systems)
    for (const Sets& sets : everything) {
      const report::Finished f = run(sets, system);
      CAPTURE(report::json(f));
      REQUIRE(f.status == Status::done);
      CHECK(report::imbalances(f).empty());
      for (const report::Rows* rows : {&f.ledger, &f.delivery_path, &f.completion_path})
        for (const report::Row& row : *rows) {
          CHECK(row.time > 0ns);
          CHECK(row.waiting <= row.time);
          Picoseconds hops{};
          for (const report::Hop& hop : row.hops) hops += hop.time;
          CHECK(hops == row.time);
        }
      const bool ping_pong = record(f, Quantity::issue).pattern == Pattern::ping_pong;
      const bool bandwidth = record(f, Quantity::issue).pattern == Pattern::put_bw;
      CHECK(total(f.ledger) == value(f, ping_pong ? Quantity::rtt : Quantity::put_completion));
      if (ping_pong) continue;
      CHECK(total(f.completion_path) == value(f, Quantity::put_completion));
      if (bandwidth) continue;
      const Record& one_way = record(f, Quantity::one_way);
      if (one_way.min == one_way.max) CHECK(total(f.delivery_path) == value(f, Quantity::one_way));
    }
}

TEST_CASE("ledger: issue is the time to the doorbell, on the GPU alone") {
  for (const char* system : both_systems)
    for (const char* queues : {"gpu", "host"}) {
      const report::Finished f = run({{"queues", queues}}, system);
      Picoseconds issue{};
      for (const report::Row& row : f.ledger) {
        if (row.stage == "doorbell_flight") break;
        CHECK(row.layer == "L2");
        issue += row.time;
      }
      CHECK(issue == value(f, Quantity::issue));
    }
}

TEST_CASE("orderings: completion minus issue stays the same to the picosecond") {
  for (const char* system : both_systems) {
    std::vector<Picoseconds> after;
    std::vector<Picoseconds> issues;
    for (const char* ordering :
         {"none", "gpu_fence", "gpu_fence_dbr", "gpu_release", "threadfence", "sys_release", "sys_fence"}) {
      const report::Finished f = run({{"ordering", ordering}}, system);
      REQUIRE(f.status == Status::done);
      after.push_back(value(f, Quantity::put_completion) - value(f, Quantity::issue));
      issues.push_back(value(f, Quantity::issue));
      CHECK(after.back() == after.front());
    }
    CHECK(*std::min_element(issues.begin(), issues.end()) == issues[0]);
    CHECK(*std::max_element(issues.begin(), issues.end()) == issues[6]);
    CHECK(issues[1] == issues[3]);  // a release store is fenced like a release fence
    CHECK(issues[1] < issues[2]);
  }
}

TEST_CASE("paths: the tuned proxy's round trip is below the best GPU path's") {
  for (const char* system : both_systems) {
    const Picoseconds proxy = value(run({{"pattern", "ping_pong"}, {"path", "cpu_proxy"}}, system), Quantity::rtt);
    for (const char* ordering :
         {"gpu_fence", "gpu_fence_dbr", "gpu_release", "threadfence", "sys_release", "sys_fence"})
      CHECK(proxy < value(run({{"pattern", "ping_pong"}, {"ordering", ordering}}, system), Quantity::rtt));
  }
}

TEST_CASE("runs: exact and run-ahead mode, and two runs, give byte-equal JSON") {
  for (const Sets& sets : everything) {
    const schema::Scenario s = scenario(sets);
    const std::string ahead = report::json(simulate(s));
    CHECK(ahead == report::json(simulate(s, Kernel::Steps::exact)));
    CHECK(ahead == report::json(simulate(s)));
    CHECK(ahead == report::json(run(sets)));
  }
}

TEST_CASE("runs: what the process ran before doesn't matter") {
  std::vector<std::string> forth, back;
  for (const Sets& sets : everything) forth.push_back(report::json(run(sets)));
  for (auto sets = std::rbegin(everything); sets != std::rend(everything); ++sets)
    back.push_back(report::json(run(*sets)));
  std::reverse(back.begin(), back.end());
  CHECK(forth == back);
}

TEST_CASE("ledger: the median's message is explained, however its latency drifts") {
  for (const Sets& sets : {Sets{{"path", "cpu_proxy"}, {"depth", "16384"}, {"iterations", "12000"}, {"warmup", "0"}},
                           Sets{{"threads", "64"}, {"iterations", "500"}}}) {
    Sets stream{{"pattern", "put_bw"}};
    stream.insert(stream.end(), sets.begin(), sets.end());
    const report::Finished f = run(stream);
    REQUIRE(f.status == Status::done);
    CHECK(total(f.ledger) == value(f, Quantity::put_completion));
    CHECK(*record(f, Quantity::put_completion).min < *record(f, Quantity::put_completion).p50 / 2);
  }
}

}  // namespace
}  // namespace gicsim
