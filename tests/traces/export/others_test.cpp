// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// dmon and metrics.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/traces/export/support.h"

namespace gicsim::exports {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

TEST_CASE("dmon: nvidia-smi's columns, a row a GPU each interval; rates add up to the bytes that crossed") {
  const Picoseconds interval = 5us;
  const Exported run =
      exported("dmon", "pattern: put_bw\nbytes: 64 KiB\npayload: read\niterations: 30\n", {.interval = interval});
  REQUIRE(run.files.size() == 4);
  const auto lines = lines_of(run.file("dmon.node0.txt"));
  REQUIRE(lines.size() > 8);
  CHECK(lines[0] == "# gicsim.dmon/1: node0, a sample each 5 us of simulated time");
  CHECK(lines[1] == "# gpu     sm    mem    enc    dec    jpg    ofa  rxpci  txpci ");
  CHECK(lines[2] == "# Idx      %      %      %      %      %      %   MB/s   MB/s ");
  double sent = 0, most = 0;
  bool busy = false;
  for (std::size_t i = 3; i + 1 < lines.size(); ++i) {  // the last may be shorter
    const auto words = words_of(lines[i]);
    REQUIRE(words.size() == 9);
    if (words[0] != "0") continue;
    CHECK(words[3] == "-");
    busy |= std::stoi(words[1]) > 0;
    CHECK((std::stoi(words[1]) <= 100 && std::stoi(words[2]) <= 100));
    sent += std::stod(words[8]) * static_cast<double>(interval.count()) / 1e6;
    most = std::max(most, std::stod(words[8]));
  }
  CHECK(busy);
  std::int64_t bytes = 0;
  Picoseconds end{};
  for (const auto& one : run.heard.sent) end = std::max(end, one.end);
  for (const auto& one : run.heard.sent)
    if (one.link == "node0.gpu0_pcie_up" && (one.tlp.kind == TlpKind::write || one.tlp.kind == TlpKind::completion))
      bytes += one.tlp.length.count();
  CHECK(std::abs(sent - static_cast<double>(bytes)) < 0.05 * static_cast<double>(bytes));
  CHECK(most > 1000);
}

TEST_CASE(
    "metrics: OpenMetrics: families together, each with its type, counters end in _total, the last line says that it "
    "is the last") {
  const Exported run = exported("metrics", "", {}, "b200_cx7_roce");
  const auto lines = lines_of(run.file("metrics.txt"));
  CHECK(lines.back() == "# EOF");
  std::set<std::string> typed, done;
  std::string family;
  std::map<std::string, std::int64_t> values;
  for (const std::string& line : lines) {
    if (line == "# EOF") continue;
    const auto words = words_of(line);
    if (line.starts_with("# TYPE ")) {
      CHECK(typed.insert(words[2]).second);
      family = words[2];
      continue;
    }
    if (line.starts_with("# ")) {
      CHECK(words[2] == family);
      continue;
    }
    const std::string name = line.substr(0, line.find('{'));
    CHECK((name == family + "_total" || (family == "gicsim_run" && name == "gicsim_run_info")));
    CHECK(line.find("} ") != line.npos);
    CHECK_MESSAGE(
        values.emplace(line.substr(0, line.find("} ") + 1), std::stoll(line.substr(line.find("} ") + 2))).second, line);
  }
  CHECK(values.at(R"(qp_posted_total{node="node0",device="nic0",port="1",qp="1"})") == 7);
  CHECK(values.at(R"(port_xmit_packets_total{node="node0",device="nic0",port="1"})") > 0);
  CHECK(values.at(R"(out_of_sequence_total{node="node1",device="nic0",port="1"})") == 0);
  CHECK(values.at(R"(gicsim_run_info{scenario="t",system="b200_cx7_roce",status="done"})") == 1);
}

TEST_CASE("metrics: beyond its limit whole families are left out, and it still ends as it should") {
  const Exported cut = exported("metrics", "", {.limit = 2_KiB});
  const std::string& text = cut.file("metrics.txt");
  CHECK(text.size() <= 2048);
  CHECK(text.ends_with("# EOF\n"));
  REQUIRE(cut.left_out.size() == 1);
  CHECK(cut.left_out[0].left_out > 0);
}

}  // namespace
}  // namespace gicsim::exports
