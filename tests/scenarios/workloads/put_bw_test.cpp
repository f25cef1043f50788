// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// What a throughput pattern counts: a rate in steady state, whatever the queue's length.
#include <doctest/doctest.h>

#include <cstdlib>

#include "scenarios/schema/load.h"
#include "scenarios/whatif/run.h"

using namespace gicsim;

namespace {

double rate(std::vector<schema::Override> given) {
  const std::string root = std::getenv("GICSIM_ROOT") ? std::getenv("GICSIM_ROOT") : ".";
  given.push_back({"pattern", "put_bw"});
  const auto scenario = schema::load_scenario(root + "/scenarios/runs/put_8B.yaml", given, root);
  for (const Record& record : whatif::run_scenario(scenario, {.gain = false}).results)
    if (record.quantity == Quantity::message_rate) return record.value;
  return 0;
}

}  // namespace

TEST_CASE("put_bw: one thread's rate is that of posting, in short and long queues") {
  const double posting = rate({{"depth", "256"}, {"iterations", "1024"}, {"warmup", "256"}});
  CHECK(posting > 0.5);
  CHECK(rate({{"depth", "64"}, {"iterations", "512"}, {"warmup", "64"}}) ==
        doctest::Approx(posting).epsilon(0.03));
  CHECK(rate({{"depth", "1024"}, {"iterations", "400"}, {"warmup", "10"}}) ==
        doctest::Approx(posting).epsilon(0.03));
}

TEST_CASE("put_bw: threads with queues of their own multiply the rate until something is shared") {
  const double one = rate({{"depth", "64"}, {"iterations", "256"}, {"warmup", "64"}});
  const double eight = rate(
      {{"threads", "8"}, {"qps", "8"}, {"depth", "64"}, {"iterations", "256"}, {"warmup", "64"}});
  CHECK(eight == doctest::Approx(8 * one).epsilon(0.05));
}

TEST_CASE("put_bw: a proxy's rate never exceeds what its callers can enqueue") {
  const double gin = rate({{"path", "cpu_proxy"},
                           {"proxy", "gin"},
                           {"host.state", "warm"},
                           {"iterations", "40"},
                           {"warmup", "8"}});
  CHECK(gin < 1 / 2.4);  // 2.46 us a call
}

TEST_CASE("put_bw: a run of one message has a rate") {
  CHECK(rate({{"iterations", "1"}, {"warmup", "1"}}) > 0);
}
