// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

Sets put_bw(const Sets& more) {
  Sets sets{{"pattern", "put_bw"}};
  sets.insert(sets.end(), more.begin(), more.end());
  return sets;
}

double rate(const Sets& sets) { return record(run(put_bw(sets)), Quantity::message_rate).value; }

TEST_CASE("put_bw: one message at a time is the rate of its latency") {
  const report::Finished f = run(put_bw({{"depth", "1"}, {"iterations", "50"}}));
  const double ns = record(f, Quantity::put_completion).value;
  CHECK(record(f, Quantity::message_rate).value == doctest::Approx(1000 / ns).epsilon(1e-9));
  CHECK(record(f, Quantity::bandwidth).value == doctest::Approx(8 / ns).epsilon(1e-9));
}

TEST_CASE("put_bw: the window counts what completes inside, wherever batches end") {
  // In the steady state a batch takes what it takes, however warm-up and window cut it.
  const double steady = rate({{"batch", "64"}, {"iterations", "64000"}, {"warmup", "6400"}});
  for (const char* warmup : {"0", "1", "10", "63", "64", "65", "640"}) {
    CAPTURE(std::string(warmup));
    CHECK(rate({{"batch", "64"}, {"iterations", "20000"}, {"warmup", warmup}}) ==
          doctest::Approx(steady).epsilon(0.03));
  }
}

TEST_CASE("put_bw: a batch larger than all messages is one window, with a finite rate") {
  const report::Finished f = run(put_bw({{"batch", "64"}, {"iterations", "10"}}));
  REQUIRE(f.status == Status::done);
  CHECK(record(f, Quantity::message_rate).n == 20);
  CHECK(record(f, Quantity::message_rate).value > 0);
  CHECK(record(f, Quantity::message_rate).value < 20);
}

TEST_CASE("message_rate: WQEs of two units, of which a read of the queue may bring but the first") {
  for (const char* batch : {"1", "3", "32"})
    CHECK(run({{"pattern", "message_rate"}, {"threads", "64"}, {"sms", "64"}, {"bytes", "40 B"}, {"batch", batch}, {"depth", "256"},
               {"iterations", "96"}, {"warmup", "32"}})
              .status == Status::done);
}

TEST_CASE("get_bw: one READ at a time is what binds, sixteen fill the link") {
  const auto named = [](const char* name) { return simulate(schema::load_scenario(name, {{"iterations", "300"}}, source_root())); };
  const report::Finished one = named("get_bw_32KiB_1read"), many = named("get_bw_32KiB_16reads");
  REQUIRE(one.bound_by);
  CHECK(one.bound_by->resource == "node0.nic0.fetches_outstanding");
  CHECK(one.bound_by->share > 0.95);
  REQUIRE(many.bound_by);
  CHECK(many.bound_by->resource == "node0_nic0_link_down.link");
}

TEST_CASE("put_bw: any batch in any depth comes to its end") {
  for (const char* depth : {"1", "2", "16", "64"})
    for (const char* batch : {"1", "2", "3", "16", "48", "64"}) {
      if (std::stoi(batch) > std::stoi(depth)) continue;
      CAPTURE(std::string(depth) + " " + batch);
      const report::Finished f = run(put_bw({{"depth", depth}, {"batch", batch}, {"iterations", "77"}}));
      CHECK(f.status == Status::done);
      CHECK(record(f, Quantity::put_completion).n == 77);
    }
}

TEST_CASE("put_bw: inline WQEs of several entries that never fit are refused, not run") {
  const auto wrong = [](const Sets& sets) { return mistakes_of([&] { scenario(sets); }); };
  CHECK(holds(wrong(put_bw({{"depth", "1"}, {"bytes", "100 B"}})),
              "batch: 1 WQEs with 100 B inline, 3 entries, don't fit a send queue of 1"));
  CHECK(holds(wrong({{"depth", "2"}, {"bytes", "220 B"}}), "4 entries"));
  CHECK(wrong(put_bw({{"depth", "4"}, {"bytes", "220 B"}})).empty());
  CHECK(wrong(put_bw({{"depth", "1"}, {"bytes", "100 B"}, {"payload", "read"}})).empty());
  CHECK(wrong(put_bw({{"depth", "1"}, {"bytes", "8 B"}, {"path", "cpu_proxy"}})).empty());
  CHECK(run(put_bw({{"depth", "4"}, {"bytes", "220 B"}, {"iterations", "50"}})).status == Status::done);
}

TEST_CASE("put_bw: threads are counted over the time in which all are warm") {
  const auto run_of = [](const char* threads) {
    return run(
        put_bw({{"threads", threads}, {"qps", threads}, {"bytes", "64 KiB"}, {"iterations", "400"}, {"depth", "16"}}));
  };
  const double one = record(run_of("1"), Quantity::bandwidth).value;
  for (const char* threads : {"2", "5", "16"}) {
    const double all = record(run_of(threads), Quantity::bandwidth).value;
    CHECK(all > 0.98 * one);
    CHECK(all < 25.0);  // a 200 Gb/s wire
  }
}

}  // namespace
}  // namespace gicsim
