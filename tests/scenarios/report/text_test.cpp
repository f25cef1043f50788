// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/text.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "scenarios/report/detail/format.h"
#include "scenarios/report/sums.h"
#include "tests/scenarios/report/example.h"

namespace gicsim::report {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("report text: opens with the answer, then what to beware of") {
  const std::string opening =
      "put_8B: one 8 B put on two_nodes, gpu_direct, gpu_fence, inline: 4.03 us put+completion "
      "(issue\n"
      "  700 ns, one way 2.71 us), p50 of 1000\n"
      "  note: the GPU leg is a prediction\n"
      "\nWhere the time goes: ";
  CHECK(text(example()).substr(0, opening.size()) == opening);
}

TEST_CASE("report text: a SEND is called one") {
  Finished run = example();
  run.keys.emplace_back("operation", "send");
  CHECK(has(text(run), "put_8B: one 8 B SEND on two_nodes"));
  CHECK(has(text(run), "4.03 us send+completion"));
  CHECK_FALSE(has(text(run), "put+completion ("));
}

TEST_CASE("report text: plain ASCII, no line over 100 columns, none ends in a blank") {
  Finished run = example();
  run.warnings = {std::string(70, 'x') + " " + std::string(70, 'y')};
  run.keys.emplace_back("a_key", std::string(90, 'z'));
  std::istringstream lines(text(run));
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(line.size() <= 100);
    CHECK((line.empty() || line.back() != ' '));
    for (const char c : line) CHECK((c >= ' ' && c <= '~'));
  }
}

TEST_CASE("report text: the rows add up, and it says so") {
  CHECK(
      has(text(example()), "The rows add up to 4,030.000 ns: put+completion, to the picosecond."));
}

TEST_CASE("report text: a picosecond astray is said aloud") {
  Finished run = example();
  run.ledger[0].time += 1_ps;
  REQUIRE(imbalances(run).size() == 1);
  CHECK(imbalances(run)[0] ==
        "the rows add up to 4030001 ps, put_completion is 4030000 ps: off by 1 ps");
  CHECK(has(text(run), "DOES NOT ADD UP"));
  run = example();
  run.ledger[2].hops[0].time += 1_ps;
  CHECK(imbalances(run).size() == 1);
  run = example();
  run.ledger[1].waiting = run.ledger[1].time + 1_ps;
  CHECK(imbalances(run).size() == 1);
}

TEST_CASE("report text: both paths are printed once up to their fork, then side by side") {
  const std::string report = text(example());
  const std::size_t fork = report.find("Delivery and completion");
  CHECK(report.find("L4.nic_tx", fork) == report.rfind("L4.nic_tx"));
  CHECK(has(report,
            "  L3.remote_write            710.000    2,710.125 | "
            "L3.cqe_write             2,029.875    4,030.000\n"));
}

TEST_CASE("report text: a column for the p99 only where something spreads") {
  Finished run = example();
  CHECK_FALSE(has(text(run), "p99"));
  run.results[1].p99 = 2800;
  CHECK(has(text(run), "p99"));
}

TEST_CASE("report text: who was busy, a node each, and only what there is") {
  Finished run = example();
  run.shares = {{"node0", 1, 0.25, 2, 0.125, 0.5}, {"node1", 0, 0, 1, 0, 1}, {"node2", 2, 0.5, 0, 0, 0}};
  const std::string page = text(run);
  CHECK(has(page,
            "Who was busy\n  node0: 1 core, busy 25.0 % of the time, else polling; 2 GPU threads, issuing 12.5 % of "
            "the time,\n"
            "    waiting 50.0 %\n"));
  CHECK(has(page, "  node1: 1 GPU thread, issuing 0.0 % of the time, waiting 100.0 %\n"));
  CHECK(has(page, "  node2: 2 cores, busy 50.0 % of the time, else polling\n"));
}

TEST_CASE("report text: counters that stayed zero are left out") {
  CHECK(has(text(example()), "doorbells that arrived"));
  CHECK_FALSE(has(text(example()), "packets sent again"));
}

TEST_CASE("report text: throughput answers with the rate and names the busiest resource") {
  Finished run = example();
  for (Record& record : run.results) record.pattern = Pattern::put_bw;
  Record bandwidth = run.results[0];
  bandwidth.quantity = Quantity::bandwidth;
  bandwidth.value = 23.4;
  bandwidth.p50 = bandwidth.min = bandwidth.max = std::nullopt;
  run.results.push_back(bandwidth);
  run.headline = Quantity::bandwidth;
  run.bound_by = Bound{true, "node0.nic0.link", 0.973, std::nullopt, ""};
  const std::string report = text(run);
  CHECK(has(report, ": 23.4 GB/s bandwidth"));
  CHECK(has(report, "of a message in the middle of the run"));
  CHECK(has(report, "node0.nic0.link, busy for 97.3 % of the measured window."));
}

TEST_CASE("report text: a run that went wrong opens with its diagnosis") {
  Finished run = example();
  run.results.clear();
  run.status = Status::stuck;
  run.diagnosis =
      Diagnosis{"nothing happens any more", {"node0.gpu0 poster: CQE 3"}, 12'350'000_ps};
  CHECK(text(run).rfind("put_8B: stuck at 12.35 us: nothing happens any more\n"
                        "  waits: node0.gpu0 poster: CQE 3\n"
                        "  The scenario expects 'done'; this run ended 'stuck'.\n",
                        0) == 0);
  run.expected = Status::stuck;
  CHECK(text(run).rfind("put_8B: stuck at 12.35 us, as expected: ", 0) == 0);
}

TEST_CASE("report text: an empty run prints something") { CHECK_FALSE(text(Finished{}).empty()); }

TEST_CASE("report text: figures have four digits and the unit that suits") {
  using detail::time_text;
  CHECK(time_text(0_ps) == "0 ps");
  CHECK(time_text(999_ps) == "999 ps");
  CHECK(time_text(700'260_ps) == "700.3 ns");
  CHECK(time_text(999'940_ps) == "999.9 ns");
  CHECK(time_text(999'960_ps) == "1 us");
  CHECK(time_text(4'030'000_ps) == "4.03 us");
  CHECK(time_text(-12'345'678_ps) == "-12.35 us");
  CHECK(detail::four_digits(0.17961) == "0.1796");
  CHECK(detail::four_digits(12345.6) == "12346");
  CHECK(detail::four_digits(0) == "0.000");
  CHECK(detail::exact_ns(-1'234'567'008_ps) == "-1,234,567.008");
  CHECK(detail::grouped(-1000) == "-1,000");
  CHECK(detail::grouped(100) == "100");
}

}  // namespace
}  // namespace gicsim::report
