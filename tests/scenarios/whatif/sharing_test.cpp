// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/scenarios/whatif/runs.h"

/// Threads that share queue pairs, and a probe under load.
namespace gicsim {
namespace {

report::Finished rate_of(const Sets& more) {
  Sets all{{"pattern", "message_rate"}, {"iterations", "64"}, {"warmup", "16"}};
  all.insert(all.end(), more.begin(), more.end());
  return run(all);
}
double rate(const Sets& more) { return record(rate_of(more), Quantity::message_rate).value; }

std::int64_t counted(const report::Finished& f, const std::string& module, const std::string& name) {
  for (const report::Counter& c : f.counters)
    if (c.module == module && c.name == name) return c.value;
  FAIL("no counter " << module << "." << name);
  return 0;
}

TEST_CASE("sharing: every way of sharing sends each message once and balances its books") {
  for (const char* sharing : {"lock", "handoff", "warp"})
    for (const char* doorbell : {"batch", "latest"}) {
      CAPTURE(std::string(sharing) + " " + doorbell);
      const report::Finished f =
          rate_of({{"threads", "64"}, {"qps", "2"}, {"sharing", sharing}, {"doorbell", doorbell}, {"depth", "256"}});
      REQUIRE(f.status == Status::done);
      CHECK(counted(f, "node0.nic0", "wqes") == 64 * 80);
      CHECK(counted(f, "node1.nic0", "packets_received") == 64 * 80);
    }
}

TEST_CASE("sharing: a queue shorter than its posters makes them wait, not fail") {
  for (const char* sharing : {"lock", "handoff", "warp"}) {
    CAPTURE(std::string(sharing));
    const report::Finished f = rate_of({{"threads", "32"}, {"qps", "1"}, {"sharing", sharing}, {"depth", "32"},
                                        {"batch", std::string(sharing) == "warp" ? "16" : "1"}});
    CHECK(f.status == Status::done);
    CHECK(counted(f, "node0.nic0", "wqes") == 32 * 80);
  }
}

TEST_CASE("sharing: the turn is what binds a lock and a hand-off; a warp's is amortised over its lanes") {
  const Sets shared{{"threads", "32"}, {"qps", "1"}};
  const auto with = [&](const char* sharing) {
    Sets all = shared;
    all.push_back({"sharing", sharing});
    return all;
  };
  const report::Finished lock = rate_of(with("lock"));
  REQUIRE(lock.bound_by);
  CHECK(lock.bound_by->resource == "node0.gpu0.queue_turn");
  CHECK(lock.bound_by->share > 0.98);
  const double locked = record(lock, Quantity::message_rate).value;
  const double handed = rate(with("handoff"));
  const double warp = rate(with("warp"));
  CHECK(handed > 1.5 * locked);
  CHECK(warp > 5 * handed);
}

/// A batch rung once: of 32 lanes one doorbell, by the last one.
TEST_CASE("sharing: a warp rings once") {
  const report::Finished f = rate_of({{"threads", "32"}, {"qps", "1"}, {"sharing", "warp"}});
  CHECK(counted(f, "node0.nic0", "doorbells") == 80);
  CHECK(counted(f, "node0.nic0", "cqes") == 80);
  CHECK(counted(f, "node0.gpu0", "atomics") == 80);
}

TEST_CASE("sharing: latest rings less often than every post, and nobody is left unrung") {
  const Sets shared{{"threads", "64"}, {"qps", "1"}, {"sharing", "handoff"}};
  Sets latest = shared;
  latest.push_back({"doorbell", "latest"});
  const report::Finished every = rate_of(shared), last = rate_of(latest);
  CHECK(counted(every, "node0.nic0", "doorbells") == 64 * 80);
  CHECK(counted(last, "node0.nic0", "doorbells") < 64 * 80 / 4);
  CHECK(counted(last, "node0.nic0", "wqes") == 64 * 80);
}

TEST_CASE("sharing: threads on SMs of their own don't share a store port") {
  const Sets one{{"threads", "64"}, {"batch", "16"}, {"depth", "64"}, {"iterations", "256"}, {"warmup", "64"}};
  Sets many = one;
  many.push_back({"sms", "64"});
  CHECK(rate(many) > 1.05 * rate(one));
}

TEST_CASE("sharing: one thread with several queue pairs takes them in turns") {
  const Sets one{{"iterations", "1024"}, {"warmup", "256"}, {"depth", "256"}};
  Sets four = one;
  four.push_back({"qps", "4"});
  const report::Finished f = rate_of(four);
  REQUIRE(f.status == Status::done);
  CHECK(record(f, Quantity::message_rate).value == doctest::Approx(rate(one)).epsilon(0.05));
}

Picoseconds round_trip(const Sets& more) {
  Sets all{{"pattern", "ping_pong"}, {"iterations", "50"}};
  all.insert(all.end(), more.begin(), more.end());
  const report::Finished f = run(all);
  REQUIRE(f.status == Status::done);
  return value(f, Quantity::rtt);
}

TEST_CASE("load: a shared queue pair makes the probe wait in turn, a reserved one gives it back its own time") {
  const Picoseconds idle = round_trip({});
  const Sets load{{"load", "16"}, {"qps", "1"}, {"sharing", "handoff"}};
  Sets shared = load;
  shared.push_back({"probe", "shared"});
  const Picoseconds reserved = round_trip(load), through = round_trip(shared);
  CHECK(reserved < idle + 100ns);
  CHECK(through > 2 * idle);
  Sets paced = shared;
  paced.push_back({"load_gap", "100 us"});
  CHECK(round_trip(paced) < through / 2);
}

TEST_CASE("load: the rate that was carried is reported, and falls when paced") {
  const auto carried = [](const char* gap) {
    const report::Finished f = run({{"pattern", "ping_pong"}, {"load", "4"}, {"load_gap", gap}});
    return record(f, Quantity::load_rate).value;
  };
  CHECK(carried("0 ns") > 8);                                      // eight posters, over a put a microsecond each
  CHECK(carried("10 us") == doctest::Approx(0.8).epsilon(0.02));  // eight in 10 us
}

}  // namespace
}  // namespace gicsim
