// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// gicsim-cli as a user runs it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/shell.h"

namespace gicsim {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST_CASE("program: five mistakes get five messages with their places, nothing on stdout, exit 2") {
  Shell shell;
  shell.folder.write("five.yaml",
                     "system: h200_cx7_ib\n"
                     "pattern: putt\n"
                     "path: gpu_direct\n"
                     "bytes: 8\n"
                     "itertaions: 10\n"
                     "set:\n"
                     "  nic.decod: 80 ns\n"
                     "  link.rate: 9000 Gbps\n");
  const auto said = shell.run({"run", "five.yaml"});
  CHECK(said.code == 2);
  CHECK(said.out.empty());
  CHECK(lines(said.err) == 5);
  CHECK(holds(said.err, "five.yaml:2:10: pattern: 'putt'"));
  CHECK(holds(said.err, "five.yaml:4:8: bytes: '8' has no unit"));
  CHECK(holds(said.err, "five.yaml:5:1: itertaions: no such key; did you mean 'iterations'?"));
  CHECK(holds(said.err, "five.yaml:7:3: nic.decod: no such parameter; did you mean 'decode'?"));
  CHECK(holds(said.err, "five.yaml:8:14: link.rate: '9000 Gbps' is out of range"));
}

TEST_CASE("program: --json prints the report and nothing else, twice the same") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  const auto said = shell.run({"run", "./s.yaml", "--json"});
  CHECK(said.code == 0);
  CHECK(said.err.empty());
  const auto json = nlohmann::json::parse(said.out);
  CHECK(json.at("schema") == "gicsim.report/1");
  CHECK(json.at("status") == "done");
  CHECK(said.out.front() == '{');
  CHECK(said.out.substr(said.out.size() - 2) == "}\n");
  CHECK(shell.run({"run", "./s.yaml", "--json"}).out == said.out);
}

TEST_CASE("program: paths are the caller's, and -o holds what --json prints") {
  Shell shell;
  shell.folder.write("deep/s.yaml", small);
  const auto said = shell.run({"run", "deep/s.yaml", "-o", "results/today", "--json"});
  CHECK(said.code == 0);
  const std::string out = shell.folder.path() + "/results/today/";
  CHECK(contents(out + "report.json") == said.out);
  CHECK(fs::exists(out + "config.yaml"));
  CHECK(fs::exists(out + "run.json"));
  // What was resolved gives the same figures again.
  const auto again = shell.run({"run", "results/today/config.yaml", "--json"});
  CHECK(again.code == 0);
  CHECK(nlohmann::json::parse(again.out).at("ledger") == nlohmann::json::parse(said.out).at("ledger"));
}

TEST_CASE("program: exit codes") {
  Shell shell;
  shell.folder.write("s.yaml", small);
  const std::vector<std::string> violation = {"run", "s.yaml", "--set", "ordering=none", "--set",
                                              "gpu.line_fetch=10000 cycles"};
  const auto ended_otherwise = shell.run(violation);
  CHECK(ended_otherwise.code == 1);
  CHECK(holds(ended_otherwise.out, "was fetched at"));
  auto expected = violation;
  expected.insert(expected.end(), {"--set", "expect=ordering_violation"});
  CHECK(shell.run(expected).code == 0);
  CHECK(shell.run({"run", "s.yaml", "--set", "expect=stuck"}).code == 1);
  CHECK(shell.run({"run", "nothere.yaml"}).code == 2);
  CHECK(shell.run({"run", "put_8C"}).code == 2);
  CHECK(shell.run({"run", "s.yaml", "--set", "bytes"}).code == 2);
  CHECK(shell.run({"run", "s.yaml", "--jsn"}).code == 2);
  CHECK(shell.run({"rnu"}).code == 2);
  CHECK(shell.run({"run", "s.yaml", "-o", "/proc/nothing/here"}).code == 4);
  CHECK(shell.run({}).code == 0);
  CHECK(shell.run({"list"}).code == 0);
  CHECK(shell.run({"--version"}).code == 0);
}

TEST_CASE("program: a word that is nearly right gets a hint") {
  Shell shell;
  CHECK(holds(shell.run({"rnu"}).err, "did you mean 'run'?"));
  CHECK(holds(shell.run({"run", "put_8"}).err, "did you mean 'put_8B'?"));
  CHECK(holds(shell.run({"run", "put_8B", "--set", "ordring=none"}).err, "did you mean 'ordering'?"));
}

TEST_CASE("program: new scenarios run as they are printed") {
  Shell shell;
  for (const char* pattern : {"put", "ping_pong", "put_bw"}) {
    const auto text = shell.run({"new", pattern});
    CHECK(text.code == 0);
    shell.folder.write("mine.yaml", text.out);
    CHECK(shell.run({"run", "mine.yaml", "--set", "iterations=5"}).code == 0);
  }
}

TEST_CASE("program: --counters prints what ports and queue pairs counted, and no ledger") {
  const auto said = Shell().run({"run", "put_8B", "--counters"});
  CHECK(said.code == 0);
  CHECK(holds(said.out, "port_xmit_packets"));
  CHECK(holds(said.out, "node0.nic0.qp1: posted 1,010, fetched 1,010, wqes 1,010"));
  CHECK_FALSE(holds(said.out, "Where the time goes"));
}

TEST_CASE("program: --list-traffic prints TLPs and packets, one a line") {
  const auto said = Shell().run({"run", "put_8B", "--list-traffic"});
  CHECK(said.code == 0);
  CHECK(said.err.empty());
  CHECK(holds(said.out, "node0.gpu0_pcie_up MWr 8 B at "));
  CHECK(holds(said.out, " RDMA WRITE 8 B at "));
}

}  // namespace
}  // namespace gicsim
