// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/sweep/sweep.h"

#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/sweep/output.h"
#include "tests/support/files.h"
#include "traces/result/read.h"

namespace gicsim::sweep {
namespace {

Request request(const std::vector<std::string>& axes, int jobs = 2) {
  Request made{"put_8B", {}, {}, source_root(), jobs};
  for (const std::string& axis : axes) made.axes.push_back(axis_from(axis));
  return made;
}

/// As many nanoseconds as bytes, times the threads; crashes at 32 B, throws at 64 B, is stuck at 128 B.
report::Finished fake(const schema::Scenario& scenario) {
  const std::int64_t bytes = scenario.bytes.count();
  if (bytes == 32) raise(SIGKILL);
  if (bytes == 64) throw ModelError("nic0", 5ns, "credits 3 -> -1");
  report::Finished run;
  run.headline = Quantity::put_completion;
  if (bytes == 128) {
    run.status = Status::stuck;
    run.diagnosis = report::Diagnosis{"nobody, \"ever\", writes", {}, 1ns};
    return run;
  }
  Record record;
  record.where = {{"bytes", bytes}};
  record.value = static_cast<double>(bytes * scenario.threads);
  record.p50 = record.value;
  record.n = 1000;
  run.results = {record};
  return run;
}

Swept swept(const std::vector<std::string>& axes, int jobs = 2) {
  return run(request(axes, jobs), fake, [](std::size_t, std::size_t, std::size_t) {});
}
std::string wrong(const Request& asked) {
  return mistakes_of([&] { run(asked, fake, [](std::size_t, std::size_t, std::size_t) {}); });
}

TEST_CASE("sweep: every combination, the last axis fastest, whatever the number of jobs") {
  const Swept one = swept({"bytes=8B,16B", "threads=1..4:*2"}, 1);
  REQUIRE(one.points.size() == 6);
  CHECK(one.points[0].values == std::vector<std::string>{"8 B", "1"});
  CHECK(one.points[1].values == std::vector<std::string>{"8 B", "2"});
  CHECK(one.points[3].values == std::vector<std::string>{"16 B", "1"});
  CHECK(one.points[5].results.front().value == 64);
  CHECK(one.notes.empty());
  CHECK(exit_code(one) == 0);
  const Swept many = swept({"bytes=8B,16B", "threads=1..4:*2"}, 6);
  CHECK(records(many) == records(one));
  CHECK(csv(many) == csv(one));
  CHECK(table(many) == table(one));
}

TEST_CASE("sweep: a point that crashes, breaks a rule or is stuck loses no other, and is told") {
  const Swept s = swept({"bytes=16B..256B:*2"});
  REQUIRE(s.points.size() == 5);
  CHECK(s.points[0].code == 0);
  CHECK(s.points[1].code == 3);
  CHECK(holds(s.points[1].error, "ended by signal 9"));
  CHECK(s.points[2].code == 3);
  CHECK(s.points[2].error == "bug: nic0 @ 5 ns: credits 3 -> -1");
  CHECK(s.points[3].code == 1);
  CHECK(s.points[3].status == "stuck");
  CHECK(s.points[4].results.front().value == 256);
  CHECK(exit_code(s) == 3);
  CHECK(exit_code(swept({"bytes=16B,128B"})) == 1);
  CHECK(holds(table(s), "3 of 5 points failed"));
  CHECK(holds(csv(s), "128,stuck,,\"nobody, \"\"ever\"\", writes\"\r\n"));
}

TEST_CASE("sweep: records hold what was varied; the reader passes over failures") {
  const Swept s = swept({"bytes=16B,128B", "nic.decode=80ns,90ns", "nic.qp_window=8,9"});
  const std::string text = records(s);
  CHECK(std::count(text.begin(), text.end(), '\n') == 8);
  std::istringstream in(text);
  const std::vector<Record> all = read_records(in, "records.jsonl");
  REQUIRE(all.size() == 4);
  const std::vector<std::pair<std::string, Record::Plain>> where{
      {"bytes", std::int64_t{16}}, {"nic.decode", "80 ns"}, {"nic.qp_window", std::int64_t{9}}};
  CHECK(all[1].where == where);
  const auto failure = nlohmann::json::parse(text.substr(text.rfind('\n', text.size() - 2) + 1));
  CHECK(failure.at("schema") == "gicsim.failure/1");
  CHECK(failure.at("where") == nlohmann::json{{"bytes", 128}, {"nic.decode", "90 ns"}, {"nic.qp_window", 9}});
  CHECK(failure.at("status") == "stuck");
  CHECK(failure.at("exit_code") == 1);
}

TEST_CASE("sweep: an axis that changes nothing is said aloud") {
  const Swept s = swept({"bytes=8B,16B", "seed=1,2,3"});
  REQUIRE(s.notes.size() == 1);
  CHECK(s.notes.front() == "seed changes nothing: all its values give the same figures");
  CHECK(holds(table(s), "  note: seed changes nothing"));
}

TEST_CASE("sweep: a bad axis is one error before anything runs") {
  CHECK(wrong(request({"byts=8B,16B"})).find("byts: no such key; did you mean 'bytes'?") != std::string::npos);
  const std::string unit = wrong(request({"bytes=8,16B,32B"}));
  CHECK(holds(unit, "--vary bytes=8: bytes: '8' has no unit"));
  CHECK(std::count(unit.begin(), unit.end(), '\n') == 0);
  CHECK(holds(wrong(request({"bytes=8B", "nic.decod=1ns,2ns"})), "did you mean 'decode'?"));
  CHECK(holds(wrong(request({"bytes=8B", "bytes=16B"})), "--vary bytes: given twice"));
  Request both = request({"bytes=8B,16B"});
  both.set.push_back({"bytes", "8 B"});
  CHECK(holds(wrong(both), "is set, too"));
  CHECK(holds(wrong(request({"seed=1..10000:+1", "iterations=1..10000:+1"})), "more than 1000000 points"));
}

TEST_CASE("sweep: a combination that can't be expressed is a point's own matter, unless all are") {
  const Swept s = swept({"threads=1,4", "sms=1,3"});
  CHECK(s.points[0].code == 0);
  CHECK(s.points[1].code == 2);
  CHECK(holds(s.points[1].error, "don't spread evenly"));
  CHECK(s.points[2].code == 0);
  CHECK(exit_code(s) == 1);
  CHECK(holds(wrong(request({"sms=3,5"})), "don't spread evenly"));
}

}  // namespace
}  // namespace gicsim::sweep
