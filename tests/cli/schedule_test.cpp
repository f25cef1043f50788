// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// gicsim-cli trace make, convert and info of schedules, import topology: as a user runs them.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/shell.h"

namespace gicsim {
namespace {

TEST_CASE("program: trace make writes GOAL that trace info reads, the same each time") {
  Shell shell;
  const std::vector<std::string> make = {"trace",  "make",      "moe",   "--ranks", "6", "--bytes",
                                         "64 KiB", "--compute", "10 us", "--seed",  "3"};
  const auto text = shell.run(make);
  CHECK(text.code == 0);
  CHECK(text.out.rfind("num_ranks 6\n", 0) == 0);
  CHECK(shell.run(make).out == text.out);
  shell.folder.write("moe.goal", text.out);
  const auto info = shell.run({"trace", "info", "moe.goal"});
  CHECK(info.code == 0);
  CHECK(holds(info.out, "moe.goal: GOAL; 6 ranks"));
  CHECK_FALSE(holds(info.out, "unmatched"));
  CHECK(shell.run({"trace", "make", "ring_all_reduce", "--ranks", "4", "-o", "ring.goal"}).code == 0);
  const auto json = shell.run({"trace", "info", "ring.goal", "--json"});
  const auto read = nlohmann::json::parse(json.out);
  CHECK(read.at("schema") == "gicsim.trace/1");
  CHECK(read.at("files").at(0).at("messages") == 4 * 2 * 3);
  CHECK(read.at("files").at(0).at("bytes") == 4 * 2 * 3 * (1 << 18));
}

TEST_CASE("program: what can't be made is said") {
  Shell shell;
  CHECK(holds(shell.run({"trace", "make", "ring_allreduce", "--ranks", "4"}).err, "did you mean 'ring_all_reduce'?"));
  CHECK(holds(shell.run({"trace", "make", "moe", "--ranks", "4", "--bytes", "64"}).err, "--bytes: '64' has no unit"));
  CHECK(holds(shell.run({"trace", "make", "pipeline", "--ranks", "4", "--layers", "3"}).err,
              "3 layers don't reach 4 ranks"));
  const auto format = shell.run({"trace", "make", "all_to_all", "--ranks", "4", "--format", "xml", "-o", "x"});
  CHECK(format.code == 2);
  CHECK(holds(format.err, "--format: 'xml' isn't known; write goal or jsonl"));
  CHECK_FALSE(std::filesystem::exists(shell.folder.path() + "/x"));
  CHECK_FALSE(std::filesystem::exists(shell.folder.path() + "/x.unfinished"));
}

TEST_CASE("program: flows become GOAL and gicsim.schedule/1, which keeps all") {
  Shell shell;
  const auto lossless =
      shell.run({"trace", "convert", sample("fabric/ring.cm"), "--format", "jsonl", "-o", "ring.jsonl"});
  CHECK(lossless.code == 0);
  CHECK(lossless.err.empty());
  const auto goal = shell.run({"trace", "convert", "ring.jsonl"});
  CHECK(goal.code == 0);
  CHECK(holds(goal.out, "rank 1 {\n// flow 1\nl0: recv 4096b from 3 tag 4\n"));
  CHECK(holds(goal.err, "GOAL can't say all: puts became sends"));
  const auto info =
      shell.run({"trace", "info", "ring.jsonl", sample("fabric/flows.txt"), sample("goal/ping_pong.goal")});
  CHECK(info.code == 0);
  // A file a rank: two ranks' profiles are one schedule.
  const auto job = shell.run({"trace", "convert", sample("profile/h200_kineto.0.json.gz"), sample("profile/h200_kineto.1.json.gz"),
                              "--format", "jsonl", "-o", "job.jsonl"});
  CHECK(job.code == 0);
  CHECK(holds(shell.run({"trace", "info", "job.jsonl"}).out, "job.jsonl: gicsim.schedule/1; 2 ranks, 64 steps; 16 messages, 8388624 B"));
  CHECK(holds(info.out, "ring.jsonl: gicsim.schedule/1; 4 ranks, 6 steps; 4 messages"));
  CHECK(holds(info.out, "ns-3 flows; 3 ranks, 4 steps; 4 messages"));
  CHECK(holds(info.out, "ping_pong.goal: GOAL; 2 ranks, 14 steps; 6 messages, 48 B"));
}

TEST_CASE("program: a schedule that is cut off shows nothing") {
  Shell shell;
  const std::string whole = contents(sample("goal/ping_pong.goal"));
  shell.folder.write("cut.goal", whole.substr(0, whole.size() - 10));
  const auto said = shell.run({"trace", "info", sample("goal/ping_pong.goal"), "cut.goal"});
  CHECK(said.code == 2);
  CHECK(said.out.empty());
  CHECK(holds(said.err, "the file ends inside the block of rank 1, which begins on line 17"));
  CHECK(holds(shell.run({"trace", "convert", "none.goal"}).err, "none.goal: "));
}

TEST_CASE("program: a topology becomes a system that runs") {
  Shell shell;
  const auto rails = shell.run({"import", "topology", sample("fabric/rails.txt"), "-o", "rails.yaml"});
  CHECK(rails.code == 0);
  CHECK(holds(rails.err, "warning: 4 links to NVSwitches"));
  CHECK(shell.run({"import", "topology", sample("fabric/leaf_spine.txt"), "-o", "leaf_spine.yaml"}).code == 0);
  for (const char* system : {"rails.yaml", "leaf_spine.yaml"}) {
    shell.folder.write("put.yaml", std::string("about: a put\nsystem: ./") + system +
                                       "\npattern: put\npath: gpu_direct\nbytes: 64 B\niterations: 3\n");
    const auto run = shell.run({"run", "put.yaml"});
    CHECK(run.err == "");
    CHECK(run.code == 0);
  }
}

}  // namespace
}  // namespace gicsim
