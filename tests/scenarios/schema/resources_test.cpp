// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "scenarios/schema/load.h"
#include "tests/support/files.h"

/// What a NIC has a finite number of, and who rings what.
namespace gicsim::schema {
namespace {

std::string wrong(const std::vector<Override>& overrides) {
  const Folder folder;
  const std::string file =
      folder.write("s.yaml", "system: h200_cx7_ib\npattern: message_rate\npath: gpu_direct\ndepth: 16\n");
  return folder.relative(mistakes_of([&] { load_scenario(file, overrides, source_root()); }));
}
bool says(const std::string& said, const std::string& what) { return said.find(what) != std::string::npos; }

TEST_CASE("resources: processes exhaust queue pairs; the error names call and resource, and sharing cures it") {
  const std::vector<Override> many{{"processes", "64"}, {"threads", "4096"}, {"sms", "64"}, {"nic.limits.queue_pairs", "1024"}};
  const std::string said = wrong(many);
  CHECK(says(said, "processes: ibv_create_qp: Cannot allocate memory (errno 12). 64 processes need 4096 queue pairs of a NIC, "
                   "which has 1024 (nic.limits.queue_pairs)"));
  std::vector<Override> shared = many;
  shared.insert(shared.end(), {{"qps", "64"}, {"sharing", "handoff"}});
  CHECK(wrong(shared) == "");
}

TEST_CASE("resources: doorbell pages have registers of two queue pairs each; a process may share one") {
  const std::vector<Override> many{{"threads", "64"}, {"qps", "32768"}};
  CHECK(says(wrong(many), "qps: ibv_open_device: Cannot allocate memory (errno 12). 1 process needs 16384 doorbell pages"));
  std::vector<Override> shared = many;
  shared.push_back({"doorbell_register", "process"});
  CHECK(wrong(shared) == "");
  std::vector<Override> rung = many;
  rung.push_back({"path", "cpu_doorbell"});
  CHECK(wrong(rung) == "");
}

TEST_CASE("resources: queue pairs that no address area holds are an error, not rings that lie in one another") {
  const std::vector<Override> many{{"threads", "64"}, {"qps", "8192"}, {"doorbell_register", "process"}};
  CHECK(wrong(many) == "");
  std::vector<Override> deep = many;
  deep.insert(deep.end(), {{"depth", "32768"}});
  CHECK(says(wrong(deep), "qps: 8192 queue pairs of a NIC, and their queues have room for 4095 of a depth of 32768"));
  std::vector<Override> rings = many;
  rings.push_back({"cq", "ring"});
  CHECK(says(wrong(rings), "room for 4095 with receive queues, completion rings or records elsewhere"));
}

TEST_CASE("resources: memory keys") {
  CHECK(says(wrong({{"processes", "2"}, {"threads", "2"}, {"nic.limits.keys", "8"}}), "ibv_reg_mr: Cannot allocate memory"));
}

TEST_CASE("resources: processes have whole threads and queue pairs") {
  CHECK(says(wrong({{"processes", "3"}, {"threads", "4"}}), "don't spread evenly"));
}

TEST_CASE("doorbells: what can't be together") {
  CHECK(says(wrong({{"threads", "4"}, {"qps", "1"}, {"sharing", "handoff"}, {"doorbell", "latest_atomic"}, {"doorbell_register", "process"}}),
             "latest_atomic rings beside others"));
  CHECK(says(wrong({{"qps", "4"}, {"batch", "8"}, {"visit", "12"}}), "12 writes aren't whole batches of 8"));
  CHECK(says(wrong({{"path", "cpu_post"}, {"role", "both"}}), "write 'path: gpu_direct'"));
  CHECK(wrong({{"qps", "4"}, {"batch", "8"}, {"visit", "64"}, {"role", "both"}}) == "");
}

}  // namespace
}  // namespace gicsim::schema
