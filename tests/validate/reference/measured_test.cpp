// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/reference/measured.h"

#include <doctest/doctest.h>

#include "models/base/errors.h"
#include "tests/support/files.h"

namespace gicsim::reference {
namespace {

std::string fence(int stores, double value, const char* memory = "hbm") {
  return R"({"schema":"gicsim.result/1","origin":"measured","system":"mine","pattern":"fence","path":"none","where":{"stores":)" +
         std::to_string(stores) + R"(,"memory":")" + memory + R"(","mapping":"mapped"},"quantity":"latency","unit":"ns","value":)" +
         std::to_string(value) + R"(,"p50":null,"p99":null,"min":null,"max":null,"n":1,"source":"t","repeats":{"clock":"c","count":5,"low":)" +
         std::to_string(value - 1) + R"(,"high":)" + std::to_string(value + 1) + "}}\n";
}

TEST_CASE("measured: the median of several runs, the range of all repeats, the first rule that agrees") {
  const Folder folder;
  folder.write("a.jsonl", fence(0, 129) + fence(1, 257) + fence(1, 300, "peer"));
  folder.write("b.jsonl", R"({"schema":"gicsim.environment/1","system":"mine"})" "\n" + fence(0, 131) + fence(1, 214));
  folder.write("c.jsonl", fence(0, 140));
  const std::string file = folder.write("mine.yaml",
      "system: mine\nabout: two runs\nrecords: [a.jsonl, b.jsonl, c.jsonl]\nignored: [mapping]\n"
      "given:\n- {keys: {iterations: 7}, pattern: fence}\n"
      "use:\n- {use: fit, pattern: fence, stores: [0, 2]}\n- {use: note, stores: 0}\n"
      "not_expressed:\n- {why: no NVLink, memory: peer}\n");
  const std::vector<MeasuredTable> tables = load_measured(file);
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].id == "mine.fence");
  REQUIRE(tables[0].rows.size() == 3);
  const MeasuredRow &idle = tables[0].rows[0], &one = tables[0].rows[1], &peer = tables[0].rows[2];
  CHECK(idle.value == 131);
  CHECK(idle.low == 128);
  CHECK(idle.high == 141);
  CHECK(idle.runs == 3);
  CHECK(idle.use == Use::fit);
  CHECK(idle.run.key("iterations") == "7");
  CHECK(idle.run.key("mapping") == "");
  CHECK(one.value == 235.5);
  CHECK(one.use == Use::check);
  CHECK(peer.why == "no NVLink");
}

TEST_CASE("measured: mistakes in the file are said at their place") {
  const Folder folder;
  const std::string file = folder.write("mine.yaml", "system: mine\nrecord: [a.jsonl]\nuse:\n- {pattern: fence}\n- {use: fitt}\n");
  std::string said;
  try {
    load_measured(file);
  } catch (const ConfigError& e) {
    said = e.what();
  }
  CHECK(said.find("mine.yaml:2:1: record: no such key") != said.npos);
  CHECK(said.find("mine.yaml:4:3: use: missing") != said.npos);
  CHECK(said.find("'fitt' is none of fit, check, note") != said.npos);
  CHECK(said.find("records: missing") != said.npos);
}

TEST_CASE("measured: what no simulator runs yet is said, a size gets its unit") {
  const Folder folder;
  const std::string file = folder.write("r.jsonl",
      R"({"schema":"gicsim.result/1","origin":"measured","system":"x","pattern":"all_reduce","path":"cpu_proxy","where":{"bytes":8},)"
      R"("quantity":"latency","unit":"ns","value":9,"p50":null,"p99":null,"min":null,"max":null,"n":1,"source":"t"})" "\n");
  const std::vector<MeasuredTable> tables = from_records({file}, "");
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].rows[0].why == "the simulator has no pattern 'all_reduce'");
  CHECK(tables[0].rows[0].run.key("bytes") == "8 B");
}

}  // namespace
}  // namespace gicsim::reference
