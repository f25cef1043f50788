// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// PCIe links that err, block and send credits by DLLPs, under whole scenarios.
#include <doctest/doctest.h>

#include "scenarios/report/sums.h"
#include "tests/laws/draw.h"
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

Sets with_errors(Draw& draw) {
  Sets sets{{"pcie.ber", draw.one_of({"1e-7", "1e-6", "1e-5"})}, {"iterations", "50"},
            {"seed", std::to_string(draw.random.below(1000))}};
  sets.push_back({"bytes", draw.one_of({"8 B", "1 KiB", "16 KiB"})});
  sets.push_back({"pattern", draw.one_of({"put", "get", "put_bw", "ping_pong"})});
  if (draw.chance(50)) sets.push_back({"pcie.replay_buffer", draw.one_of({"1 KiB", "8 KiB"})});
  if (draw.chance(50)) sets.push_back({"pcie.credit_updates", "true"});
  if (draw.chance(50)) sets.push_back({"pcie.completion_headers", draw.one_of({"1", "8"})});
  if (draw.chance(50)) sets.push_back({"pcie.completion_data", draw.one_of({"256 B", "2 KiB"})});
  if (draw.chance(50)) sets.push_back({"pcie.overtaking", "0"});
  return sets;
}

TEST_CASE("books: links with errors deliver everything once, and each round's time adds up") {
  Draw draw(7, "pcie errors");
  std::int64_t bad = 0;
  for (int round = 0; round < 40; ++round) {
    const Sets sets = with_errors(draw);
    std::string text;
    for (const auto& set : sets) text += set.key + "=" + set.value + " ";
    CAPTURE(text);
    const char* system = all_systems[draw.random.below(std::size(all_systems))];
    CAPTURE(std::string(system));
    const schema::Scenario s = scenario(sets, system);
    const report::Finished f = simulate(s), again = simulate(s);
    REQUIRE(f.status == Status::done);
    CHECK(report::imbalances(f).empty());
    CHECK(sum(f, "stale") == 0);
    CHECK(sum(f, "bad_tlp") == sum(again, "bad_tlp"));
    CHECK(f.results.front().value == again.results.front().value);
    CHECK(sum(f, "replays") <= sum(f, "tlps") * 20);
    bad += sum(f, "bad_tlp");
  }
  CHECK(bad > 100);
}

TEST_CASE("put_bw: bit errors on the GPU's link take from the bandwidth, and say where") {
  const Sets base{{"pattern", "put_bw"}, {"bytes", "1 MiB"}, {"payload", "read"}, {"iterations", "4"}};
  Sets errors = base;
  errors.push_back({"node0.gpu0.pcie.ber", "1e-5"});
  const report::Finished good = run(base), bad = run(errors);
  CHECK(record(bad, Quantity::bandwidth).value < 0.95 * record(good, Quantity::bandwidth).value);
  CHECK(sum(good, "bad_tlp") == 0);
  CHECK(sum(bad, "bad_tlp") > 0);
  for (const report::Counter& counter : bad.counters)
    if (counter.name == "bad_tlp" && counter.value > 0) CHECK(counter.module.find("node0.gpu0_pcie") == 0);
}

}  // namespace
}  // namespace gicsim
