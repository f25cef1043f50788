// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// gicsim-cli import, as a user runs it.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/shell.h"

namespace gicsim {
namespace {

std::string sample_text(const std::string& name) { return contents(source_root() + "/traces/samples/" + name); }

TEST_CASE("program: import writes records to stdout, and to stderr what it left out") {
  Shell shell;
  shell.folder.write("lat.txt", sample_text("perftest_write_lat.txt"));
  shell.folder.write("ar.txt", sample_text("nccl_tests_all_reduce.txt"));
  const auto said = shell.run({"import", "lat.txt", "ar.txt"});
  CHECK(said.code == 0);
  CHECK(std::count(said.out.begin(), said.out.end(), '\n') == 14);
  const auto first = nlohmann::json::parse(said.out.substr(0, said.out.find('\n')));
  CHECK(first.at("schema") == "gicsim.result/1");
  CHECK(first.at("origin") == "measured");
  CHECK(first.at("system") == "lat");
  CHECK(holds(said.err, "lat.txt: perftest, 3 records\n"));
  CHECK(holds(said.err, "ar.txt: nccl-tests, 11 records\n"));
  CHECK(holds(said.err, "lat.txt:19: left out: a line between a table's rows"));
}

TEST_CASE("program: import -o writes a file, and table and records give each other") {
  Shell shell;
  shell.folder.write("lat.txt", sample_text("perftest_write_lat.txt"));
  CHECK(shell.run({"import", "lat.txt", "--system", "lab", "-o", "out/records.jsonl"}).code == 0);
  const std::string records = contents(shell.folder.path() + "/out/records.jsonl");
  CHECK(holds(records, "\"system\":\"lab\""));
  CHECK(shell.run({"import", "out/records.jsonl", "--format", "perftest", "-o", "table.txt"}).code == 0);
  const auto again = shell.run({"import", "table.txt", "--system", "lab"});
  CHECK(again.out == records);
}

TEST_CASE("program: a run's records become a table of NVSHMEM") {
  Shell shell;
  shell.folder.write("s.yaml", "system: h200_cx7_ib\npattern: put\npath: gpu_direct\niterations: 5\n");
  REQUIRE(shell.run({"sweep", "s.yaml", "--vary", "bytes=8B..32B:*2", "-o", "swept"}).code == 0);
  const auto table = shell.run({"import", "swept/records.jsonl", "--format", "nvshmem"});
  CHECK(table.code == 0);
  CHECK(holds(table.out, "#shmem_put_latency\n"));
  CHECK(holds(table.err, "one_way of put: no such figure in this layout"));
}

TEST_CASE("program: a mistake in one of two files leaves no output, and says all") {
  Shell shell;
  shell.folder.write("good.txt", sample_text("perftest_write_lat.txt"));
  std::string cut = sample_text("perftest_write_lat.txt");
  shell.folder.write("cut.txt", cut.substr(0, cut.rfind("2.61")));
  const auto said = shell.run({"import", "good.txt", "cut.txt", "none.txt", "-o", "records.jsonl"});
  CHECK(said.code == 2);
  CHECK(said.out.empty());
  CHECK(holds(said.err, "cut.txt:22:1: 7 figures, but the header names 9 columns"));
  CHECK(holds(said.err, "none.txt: can't be read: No such file"));
  CHECK_FALSE(std::filesystem::exists(shell.folder.path() + "/records.jsonl"));
}

TEST_CASE("program: import's words") {
  Shell shell;
  shell.folder.write("lat.txt", sample_text("perftest_write_lat.txt"));
  CHECK(holds(shell.run({"import", "lat.txt", "--format", "perftets"}).err,
              "--format: 'perftets' isn't known; did you mean 'perftest'?"));
  CHECK(
      holds(shell.run({"import", "lat.txt", "--path", "moon"}).err, "--path: 'moon' isn't known; write gpu_direct, "));
  CHECK(shell.run({"import"}).code == 2);
  CHECK(holds(shell.run({"help", "import"}).out, "--format"));
}

}  // namespace
}  // namespace gicsim
