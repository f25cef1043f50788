// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

report::Finished probe(const char* pattern, Sets sets = {}) {
  sets.insert(sets.begin(), {{"pattern", pattern}, {"path", "none"}});
  return run(sets, "h200_host");
}
Picoseconds fence(Sets sets) { return value(probe("fence", std::move(sets)), Quantity::latency); }

TEST_CASE("probes: a fence lasts its own time, or until the last store's acknowledgement") {
  CHECK(fence({}) == 129ns);
  CHECK(fence({{"semantics", "sc"}}) == 129ns);
  CHECK(fence({{"fence_scope", "system"}}) == 511ns);
  CHECK(fence({{"stores", "1"}, {"memory", "hbm"}, {"fence_scope", "system"}}) == 511ns);
  CHECK(fence({{"stores", "4"}, {"memory", "host"}, {"fence_scope", "system"}}) == 540ns);
  // 508 cycles at 1970 MHz behind the one store; three gaps of 13 - 4 cycles more behind four
  const Picoseconds one = fence({{"stores", "1"}, {"memory", "hbm"}}), four = fence({{"stores", "4"}, {"memory", "hbm"}});
  CHECK(one == Cycles(508) / 1970_MHz);
  CHECK(four > one);
  CHECK(four - one < Cycles(28) / 1970_MHz);
  CHECK(fence({{"stores", "64"}, {"memory", "hbm"}}) <= Cycles(593) / 1970_MHz);
}

TEST_CASE("probes: a load from host memory is a read's round trip, an atomic likewise; own memory is the L2's") {
  const auto load = [](const char* pattern, const char* memory) {
    return value(probe(pattern, {{"memory", memory}}), Quantity::latency);
  };
  CHECK(load("host_load", "hbm") == Cycles(280) / 1970_MHz);
  CHECK(load("host_atomic", "hbm") == Cycles(536) / 1970_MHz);
  CHECK(load("host_load", "host") == 1'086'983_ps);
  CHECK(load("host_atomic", "host") == load("host_load", "host"));
  const report::Finished slower = probe("host_load", {{"host.dram_read", "200 ns"}});  // 100 more than by default
  CHECK(value(slower, Quantity::latency) == 1'186'983_ps);
}

TEST_CASE("probes: the answer to a doorbell goes through flight, the core's look and a poll over the links") {
  const report::Finished f = run({{"pattern", "doorbell_echo"}}, "h200_host");
  Stages all = stages(f.ledger);
  CHECK(all["doorbell_flight"].first == 422'508_ps);
  CHECK(all["proxy_pickup"].first + all["doorbell_flight"].first + all["doorbell_issue"].first ==
        value(f, Quantity::visible));
  CHECK(report::total(f.ledger) == value(f, Quantity::rtt));
}

TEST_CASE("probes: a warp's four loads of 512 B are under way until the last is back; many fill the link") {
  const auto rate = [](const char* threads, const char* sms) {
    return record(probe("host_load", {{"bytes", "16 B"}, {"threads", threads}, {"sms", sms}, {"iterations", "32"},
                                      {"warmup", "16"}}),
                  Quantity::bandwidth).value;
  };
  const double one = rate("32", "1");
  CHECK(one < 4 * 512 / 1087.0 * 1.15);
  CHECK(rate("256", "8") == doctest::Approx(8 * one).epsilon(0.1));
  CHECK(rate("2048", "8") < 63.02 * 128 / (128 + 20));  // completions of 128 B with 20 B of overhead
}

TEST_CASE("probes: what asks for a NIC says that this system has none") {
  std::string said;
  try {
    run({}, "h200_host");
  } catch (const ConfigError& e) {
    said = e.what();
  }
  CHECK(said.find("h200_host has no NIC, and put needs one") != said.npos);
}

}  // namespace
}  // namespace gicsim
