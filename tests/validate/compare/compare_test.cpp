// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/compare/compare.h"

#include <doctest/doctest.h>

#include "tests/validate/compare/fake.h"
#include "validate/compare/print.h"

using namespace gicsim;
using namespace gicsim::compare;
using doctest::Approx;

namespace {

/// issue = 10 ns a byte; bandwidth = 2 GB/s.
std::vector<Record> linear(const ScenarioRequest& request) {
  const double bytes = static_cast<double>(text::read<Bytes>(request.key("bytes")).value->raw());
  return {fake::record(Quantity::issue, 10 * bytes), fake::record(Quantity::bandwidth, 2)};
}

Comparison of(std::vector<reference::Expressed> expressed, fake::Simulator& simulator,
              Selection selection = {}) {
  return compare::compare(fake::library(std::move(expressed)), selection, simulator.function());
}

}  // namespace

TEST_CASE("compare: error and MAPE, fit and check apart, each scenario run once") {
  fake::Simulator simulator{linear};
  const Comparison got =
      of({fake::latency("a", Use::fit, 0.08, "8 B"), fake::latency("b", Use::fit, 0.1, "8 B"),
          fake::latency("c", Use::check, 0.32, "16 B")},
         simulator);
  REQUIRE(got.tables.size() == 3);
  CHECK(simulator.runs == 2);
  CHECK(got.runs == 2);
  CHECK(got.tables[0].use == Use::fit);
  CHECK(got.tables[0].rows[0].model == Approx(0.08));
  CHECK(got.tables[0].rows[0].error == Approx(0));
  CHECK(got.tables[0].rows[1].error == Approx(-0.2));
  CHECK(*got.tables[0].mape == Approx(0.1));
  CHECK(got.tables[1].rows[0].error == Approx(-0.5));
  CHECK(got.tables[1].not_expressed[0].why == "needs y");
  CHECK_FALSE(got.tables[2].mapped);
  CHECK_FALSE(got.tables[2].mape);
}

TEST_CASE("compare: a sum of runs, a rate from a bandwidth") {
  fake::Simulator simulator{linear};
  auto sum = fake::latency("a", Use::fit, 0.12, "20 B");
  sum.expression.terms.push_back({-0.5, Quantity::issue, fake::request("16 B")});
  reference::Expressed rate = fake::latency("b", Use::fit, 250, "8 B");
  rate.unit = "Mmsg/s";
  rate.scale = 1;
  rate.expression.terms[0].quantity = Quantity::message_rate;
  const Comparison got = of({sum, rate}, simulator);
  CHECK(got.tables[0].rows[0].model == Approx(0.12));
  CHECK(got.tables[0].rows[1].model == Approx(250));
}

TEST_CASE("compare: C and B of a clock fit, through the parameter gpu.clock") {
  fake::Simulator simulator{[](const ScenarioRequest& request) {
    const double ghz =
        static_cast<double>(text::read<Frequency>(request.set.at("gpu.clock")).value->hertz()) /
        1e9;
    return std::vector{fake::record(Quantity::issue, 2000 / ghz + 300)};
  }};
  auto cycles = fake::latency("C", Use::fit, 2500, "8 B");
  cycles.scale = 1;
  cycles.expression.clock_fit = {reference::ClockFit::Part::cycles, "502 MHz", "1845 MHz"};
  auto fixed = fake::latency("B", Use::fit, 0.3, "8 B");
  fixed.expression.clock_fit = {reference::ClockFit::Part::fixed, "502 MHz", "1845 MHz"};
  const Comparison got = of({cycles, fixed}, simulator);
  CHECK(got.tables[0].rows[0].model == Approx(2000));
  CHECK(got.tables[0].rows[0].error == Approx(-0.2));
  CHECK(got.tables[0].rows[1].model == Approx(0.3));
  CHECK(simulator.runs == 2);
}

TEST_CASE(
    "compare: the first value of a key that reaches a threshold; none is a failure, not a figure") {
  fake::Simulator simulator{linear};
  auto first = fake::latency("a", Use::fit, 64, "8 B");
  first.scale = 1;
  first.expression.first = {"bytes", {"8 B", "32 B", "128 B", "512 B"}, 640};
  auto never = first;
  never.expression.first->at_least = 1e6;
  const Comparison got = of({first, never}, simulator);
  REQUIRE(got.tables[0].rows.size() == 1);
  CHECK(got.tables[0].rows[0].model == Approx(128));
  REQUIRE(got.tables[0].not_expressed.size() == 1);
  CHECK(got.tables[0].not_expressed[0].failed);
}

TEST_CASE(
    "compare: a run that doesn't end done, or lacks the quantity, is a failure that says so") {
  fake::Simulator stuck{linear, Status::stuck};
  const Comparison got = of({fake::latency("a", Use::fit, 1, "8 B")}, stuck);
  CHECK(got.tables[0].rows.empty());
  CHECK(got.tables[0].not_expressed[0].why == "the run ended stuck");
  CHECK(got.tables[0].not_expressed[0].failed);

  fake::Simulator silent{[](const ScenarioRequest&) { return std::vector<Record>(); }};
  CHECK(of({fake::latency("a", Use::fit, 1, "8 B")}, silent).tables[0].not_expressed[0].why ==
        "the run reports no issue");
}

TEST_CASE("compare: the selection; strangers are named with what is near") {
  fake::Simulator simulator{linear};
  CHECK(of({fake::latency("a", Use::fit, 1, "8 B")}, simulator, {{"other"}, ""}).tables.size() ==
        1);
  auto elsewhere = fake::latency("b", Use::fit, 1, "8 B");
  elsewhere.expression.terms[0].run.keys["system"] = "z";
  const Comparison got =
      of({fake::latency("a", Use::fit, 1, "8 B"), elsewhere}, simulator, {{}, "z"});
  CHECK(got.tables[0].rows.size() == 1);
  CHECK(got.tables[0].not_expressed[0].why == "left out by --system: runs on s");
  try {
    of({elsewhere}, simulator, {{"othr"}, "zz"});
    FAIL("nothing thrown");
  } catch (const ConfigError& error) {
    REQUIRE(error.mistakes().size() == 2);
    CHECK(error.mistakes()[0].what == "no table is called 'othr'; did you mean 'other'?");
  }
}

TEST_CASE("compare: JSON has the stable fields, the text skips nothing") {
  fake::Simulator simulator{linear};
  const Comparison got = of({fake::latency("a", Use::fit, 0.1, "8 B")}, simulator);
  const std::string json = to_json(got);
  for (const char* part : {"\"schema\": \"gicsim.compare/1\"", "\"id\": \"t\"", "\"use\": \"fit\"",
                           "\"label\": \"a\"", "\"quantity\": \"issue\"", "\"unit\": \"us\"",
                           "\"reference\": 0.1", "\"mape\": null", "\"why\": \"later\""}) {
    CAPTURE(part);
    CHECK(json.find(part) != std::string::npos);
  }
  const std::string text = to_text(got);
  for (const char* part : {"-20.0 %", "needs y", "no map yet", "other", "MAPE"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}
