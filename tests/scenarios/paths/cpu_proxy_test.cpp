// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Workers, rings and queue pairs of a CPU proxy: what adds up, what binds, what is refused.
#include "models/base/errors.h"
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

using doctest::Approx;

Sets proxy(const Sets& more) {
  Sets sets{{"pattern", "message_rate"}, {"path", "cpu_proxy"}, {"threads", "32"}, {"depth", "16"},
            {"iterations", "192"},       {"warmup", "32"}};
  sets.insert(sets.end(), more.begin(), more.end());
  return sets;
}
const Sets batch16{{"batch", "16"}, {"depth", "64"}, {"iterations", "640"}, {"warmup", "128"}};

double rate_of(const report::Finished& f) { return record(f, Quantity::message_rate).value; }
double rate(const Sets& more) { return rate_of(run(proxy(more))); }

std::int64_t counter(const report::Finished& f, const std::string& module, const std::string& name) {
  for (const report::Counter& c : f.counters)
    if (c.module == module && c.name == name) return c.value;
  FAIL("no counter " << module << "." << name);
  return 0;
}

std::string refused(const Sets& more) {
  try {
    scenario(proxy(more));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}
bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST_CASE("proxy: one worker's rate is its core's, and a chain of sixteen multiplies it by five and a half") {
  const report::Finished one = run(proxy({}));
  // 400 + 208 cycles at 2.5 GHz and three misses of 47 ns
  CHECK(rate_of(one) == Approx(1000 / (608 / 2.5 + 3 * 47)).epsilon(0.01));
  CHECK(one.bound_by->resource == "node0.host.proxy0");
  CHECK(one.bound_by->share > 0.98);
  CHECK(rate(batch16) / rate_of(one) == Approx(5.5).epsilon(0.07));
}

TEST_CASE("proxy: workers add, each on its own core") {
  const double one = rate(Sets{});
  for (const char* workers : {"2", "4", "8"}) {
    const report::Finished f = run(proxy({{"workers", workers}}));
    CHECK(rate_of(f) == Approx(std::stod(workers) * one).epsilon(0.04));
    for (int i = 0; i < std::stoi(workers); ++i)
      CHECK(counter(f, "node0.host.proxy" + std::to_string(i), "served") > 0);
  }
}

TEST_CASE("proxy: a state that all workers touch binds them however many there are") {
  const auto shared = [](const char* workers) {
    return run(proxy({{"workers", workers}, {"proxy.shared_work", "833 cycles"}}));
  };
  const report::Finished one = shared("1"), two = shared("2"), four = shared("4"), eight = shared("8");
  CHECK(one.bound_by->resource == "node0.host.proxy0");
  CHECK(rate_of(two) == Approx(2 * rate_of(one)).epsilon(0.04));
  CHECK(rate_of(four) == Approx(3).epsilon(0.01));  // 833 cycles at 2.5 GHz
  CHECK(rate_of(eight) == Approx(3).epsilon(0.01));
  CHECK(four.bound_by->resource == "node0.host.shared_state");
}

TEST_CASE("proxy: when no core is busy, rings that are full of waiting requests bind") {
  const report::Finished f = run(proxy({{"threads", "1"}, {"depth", "4"}, {"proxy.loop", "200000 cycles"}}));
  CHECK(f.bound_by->resource == "node0.host.rings");
  CHECK(rate({{"threads", "1"}, {"depth", "8"}, {"proxy.loop", "200000 cycles"}}) > 1.5 * rate_of(f));
}

TEST_CASE("proxy: a worker's rings may share its queue pair") {
  CHECK(rate(Sets{{"workers", "4"}, {"qps", "4"}}) == Approx(rate(Sets{{"workers", "4"}})).epsilon(0.05));
  CHECK(rate(Sets{{"qps", "1"}}) == Approx(rate(Sets{})).epsilon(0.05));
}

TEST_CASE("proxy: each ring and queue pair more makes the idle worker's turn longer, and half of it counts") {
  const Sets one{{"path", "cpu_proxy"},     {"threads", "2"},    {"rings", "1"},
                 {"proxy.reserve", "true"}, {"iterations", "1"}, {"warmup", "0"}};
  Sets two = one;
  two[2].value = "2";
  const auto first_pickup = [](const report::Finished& f) {
    Picoseconds least{-1};
    for (const auto& row : f.delivery_path)
      if (row.stage == "proxy_pickup") least = row.time - row.waiting;
    return least;
  };
  // a ring and a queue pair more: 16 cycles, at 2.5 GHz 6.4 ns
  CHECK(first_pickup(run(two)) - first_pickup(run(one)) == 3200_ps);
}

TEST_CASE("proxy: threads that share a ring reserve its slots, wait when it is full, and all end") {
  for (const char* name : {"baseline", "gin"}) {
    for (const char* depth : {"1", "4", "64"}) {
      const report::Finished f = run(proxy({{"proxy", name},
                                            {"rings", "4"},
                                            {"workers", "2"},
                                            {"depth", depth},
                                            {"iterations", "20"},
                                            {"warmup", "4"}}));
      REQUIRE(f.status == Status::done);
      CHECK(counter(f, "node0.gpu0", "atomics") == 32 * 24);
    }
  }
}

TEST_CASE("proxy: a producer that keeps a copy of the progress reads it over PCIe only when its ring looks full") {
  const auto issue = [](const char* progress) {
    return value(run({{"path", "cpu_proxy"}, {"proxy", "baseline"}, {"proxy.progress", progress}}), Quantity::issue);
  };
  const Picoseconds read = issue("read") - issue("cached");
  CHECK(read > 700ns);
  CHECK(read < 1200ns);
}

TEST_CASE("proxy: what doesn't fit is refused, with what to write") {
  CHECK(holds(refused({{"rings", "5"}}), "rings: 32 threads don't share 5 rings evenly; write a divisor of 'threads'"));
  CHECK(holds(refused({{"rings", "8"}}), "rings: 4 threads share one, and proxy tuned has one producer a ring"));
  CHECK(refused({{"rings", "8"}, {"proxy", "baseline"}}).empty());
  CHECK(holds(refused({{"workers", "33"}}), "workers: 33, but there are only 32 rings to serve"));
  CHECK(holds(refused({{"workers", "4"}, {"qps", "6"}}), "qps: 6 queue pairs, 4 workers and 32 rings"));
  CHECK(
      holds(refused({{"qps", "1"}, {"depth", "2048"}}), "one takes the requests of 32 rings of 2048, and holds 32768"));
  CHECK(run({{"workers", "2"}}).warnings ==
        std::vector<std::string>{"workers: changes nothing, path is not cpu_proxy"});
}

}  // namespace
}  // namespace gicsim
