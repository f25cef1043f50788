// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// gicsim-cli's many runs, as a user asks for them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/shell.h"

namespace gicsim {
namespace {

TEST_CASE("program: a sweep writes the same files with any number of jobs, its table to stdout alone") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  const auto sweep = [&](const char* jobs, const char* out) {
    return shell.run({"sweep", "s.yaml", "--vary", "bytes=8B..64B:*2", "--vary", "ordering=gpu_fence,sys_fence", "-j",
                      jobs, "-o", out});
  };
  const auto one = sweep("1", "one"), many = sweep("3", "many");
  CHECK(one.code == 0);
  CHECK(one.err.empty());
  CHECK(many.out == one.out);
  CHECK(holds(one.out, "sweep of s: 8 points"));
  for (const char* file : {"/records.jsonl", "/sweep.csv", "/config.yaml"}) {
    const std::string text = contents(shell.folder.path() + "/one" + file);
    CHECK_FALSE(text.empty());
    CHECK(contents(shell.folder.path() + "/many" + file) == text);
  }
  // A point is what a run at its place gives.
  const auto run = shell.run({"run", "s.yaml", "--set", "bytes=64B", "--set", "ordering=sys_fence", "--json"});
  const std::string records = contents(shell.folder.path() + "/one/records.jsonl");
  const auto last = nlohmann::json::parse(records.substr(records.rfind('\n', records.size() - 2) + 1));
  CHECK(last.at("value") == nlohmann::json::parse(run.out).at("results").back().at("value"));
  CHECK(last.at("where").at("bytes") == 64);
  CHECK(last.at("where").at("ordering") == "sys_fence");
  CHECK(shell.run({"run", "one/config.yaml"}).code == 0);
}

TEST_CASE("program: a sweep's failing point is in its record, and in the exit code") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  const auto said = shell.run({"sweep", "s.yaml", "--vary", "ordering=gpu_fence,none", "--set",
                               "gpu.line_fetch=10000 cycles", "-o", "out"});
  CHECK(said.code == 1);
  CHECK(holds(said.out, "1 of 2 points failed"));
  const std::string records = contents(shell.folder.path() + "/out/records.jsonl");
  CHECK(holds(records, "\"status\":\"ordering_violation\",\"exit_code\":1"));
  CHECK(holds(records, "\"quantity\":\"put_completion\""));
}

TEST_CASE("program: what a sweep can't read ends it before it begins") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  const auto unit = shell.run({"sweep", "s.yaml", "--vary", "bytes=8,16B"});
  CHECK(unit.code == 2);
  CHECK(unit.out.empty());
  CHECK(holds(unit.err, "bytes: '8' has no unit"));
  CHECK(shell.run({"sweep", "s.yaml"}).code == 2);
  CHECK(shell.run({"sweep", "s.yaml", "--vary", "bytes=8B", "-j", "0"}).code == 2);
  CHECK(shell.run({"sweep", "s.yaml", "--vary", "bytes=8B", "-o", "/proc/nothing/here"}).code == 4);
}

TEST_CASE("program: --paths prints one table, or one object") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  const auto all = shell.run({"run", "s.yaml", "--paths", "all"});
  CHECK(all.code == 0);
  CHECK(all.err.empty());
  CHECK(holds(all.out, "\n  gpu_direct "));
  CHECK(holds(all.out, "\n  cpu_proxy "));
  const auto json = shell.run({"run", "s.yaml", "--paths", "gpu_direct,cpu_proxy", "--json"});
  CHECK(nlohmann::json::parse(json.out).at("schema") == "gicsim.paths/1");
  CHECK(shell.run({"run", "s.yaml", "--paths", "gpu"}).code == 2);
  CHECK(shell.run({"run", "s.yaml", "--paths", "all", "-o", "out"}).code == 2);
}

TEST_CASE("program: spread comes from the seed") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  const auto report = [&](const char* seed) {
    return shell
        .run({"run", "s.yaml", "--set", "spread.poll_phase=true", "--set", std::string("seed=") + seed, "--json"})
        .out;
  };
  const std::string one = report("1");
  CHECK(one == report("1"));
  const auto p99 = [](const std::string& text) { return nlohmann::json::parse(text).at("results").back().at("p99"); };
  CHECK(p99(one).is_number());
  CHECK(p99(one) != p99(report("2")));
}

}  // namespace
}  // namespace gicsim
