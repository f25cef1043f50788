// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// gicsim-cli replay, as a user runs it.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/shell.h"

namespace gicsim {
namespace {

constexpr const char* ring =
    "num_ranks 3\n"
    "rank 0 {\nl0: calc 1000\nl1: send 65536b to 1 tag 3\nl1 requires l0\nl2: recv 65536b from 2 tag 3\n}\n"
    "rank 1 {\nl0: recv 65536b from 0 tag 3\nl1: send 65536b to 2 tag 3\nl1 requires l0\n}\n"
    "rank 2 {\nl0: recv 65536b from 1 tag 3\nl1: send 65536b to 0 tag 3\nl1 requires l0\n}\n";

/// All but the header, which says of what it is.
std::string steps(const std::string& text) { return text.substr(text.find('\n')); }

TEST_CASE("program: GOAL, played, is written as what happened, and that plays alike; elsewhere it takes other times") {
  Shell shell;
  shell.folder.write("ring.goal", ring);
  const auto first = shell.run({"replay", "ring.goal", "-o", "one", "--export", "schedule,goal"});
  REQUIRE(first.code == 0);
  CHECK(holds(first.out, "read as GOAL: 3 ranks, 7 steps (1 calc, 3 send, 3 recv)"));
  CHECK(holds(first.out, "3 pairs are of one node"));
  const auto second = shell.run({"replay", "one/schedule.jsonl", "-o", "two", "--export", "schedule", "--json"});
  REQUIRE(second.code == 0);
  const std::string path = shell.folder.path();
  CHECK(steps(contents(path + "/one/schedule.jsonl")) == steps(contents(path + "/two/schedule.jsonl")));
  const auto goal = shell.run({"replay", "one/schedule.goal", "-o", "three", "--export", "goal"});
  CHECK(goal.code == 0);
  CHECK(contents(path + "/three/schedule.goal") == contents(path + "/one/schedule.goal"));
  const auto elsewhere = shell.run({"replay", "one/schedule.jsonl", "--system", "gb200_cx7_ib", "--json"});
  const auto here = nlohmann::json::parse(second.out), there = nlohmann::json::parse(elsewhere.out);
  CHECK(here.at("makespan_ps") == here.at("captured_ps"));
  CHECK(there.at("makespan_ps") != here.at("makespan_ps"));
  CHECK(there.at("messages") == 3);
}

TEST_CASE("program: runs are exported as schedules and play alike") {
  Shell shell;
  for (const char* run : {"put_8B", "put_signal_8B", "put_signal_immediate"}) {
    CAPTURE(std::string(run));
    REQUIRE(shell.run({"run", run, "--set", "iterations=50", "-o", "run", "--export", "schedule"}).code == 0);
    REQUIRE(shell.run({"replay", "run/schedule.jsonl", "-o", "replay", "--export", "schedule"}).code == 0);
    const std::string path = shell.folder.path();
    CHECK(steps(contents(path + "/run/schedule.jsonl")).size() > 1000);
    CHECK(steps(contents(path + "/run/schedule.jsonl")) == steps(contents(path + "/replay/schedule.jsonl")));
  }
}

TEST_CASE("program: a capture, when it was sent and as soon as it can be") {
  Shell shell;
  const auto captured = shell.run(
      {"replay", sample("roce/rxe-write-lat-64B.pcap"), "--system", "b200_cx7_roce", "--start", "captured", "--json"});
  REQUIRE(captured.code == 0);
  const auto kept = nlohmann::json::parse(captured.out);
  CHECK(kept.at("messages") == 40);
  CHECK(kept.at("ranks").at(0).at("host") == "10.0.0.1");
  const double off = kept.at("makespan_ps").get<double>() / kept.at("captured_ps").get<double>() - 1;
  CHECK(off < 0);  // its last answer took 16 ms
  CHECK(off > -0.02);
  CHECK(kept.at("simulated_over_captured").at(0).at("n") == 40);
}

TEST_CASE("program: what can't be replayed says why") {
  Shell shell;
  shell.folder.write("ring.goal", std::string(ring).substr(0, 150));
  shell.folder.write("text", "to whom it may concern\n");
  shell.folder.write("alone.goal", "num_ranks 2\nrank 0 {\nl0: recv 8b from 1\n}\nrank 1 {\n}\n");
  shell.folder.write("circle.goal", "num_ranks 1\nrank 0 {\na: calc 5\nb: calc 6\na requires b\nb requires a\n}\n");
  for (const auto& [file, code, says] :
       {std::tuple{"ring.goal", 2, "ring.goal:"}, std::tuple{"text", 2, "no trace of a known format"},
        std::tuple{"none", 2, "none: "}, std::tuple{"alone.goal", 1, "recv from rank 1"},
        std::tuple{"circle.goal", 2, "in a circle"}}) {
    CAPTURE(std::string(file));
    const auto said = shell.run({"replay", file});
    CHECK(said.code == code);
    CHECK(holds(said.out + said.err, says));
    if (code == 2) CHECK(said.out.empty());
  }
  shell.folder.write("two.goal", ring);
  CHECK(holds(shell.run({"replay", "two.goal", "--start", "yesterday"}).err, "write 'dependencies' or 'captured'"));
  CHECK(holds(shell.run({"replay", "two.goal", "--start", "captured"}).err, "has no times"));
  CHECK(holds(shell.run({"replay", "two.goal", "--set", "link.ratee=1"}).err, "did you mean"));
}

TEST_CASE("program: a TLP log and a NetTLP capture are played as PCIe traffic") {
  Shell shell;
  REQUIRE(shell
              .run({"run", "put_8B", "--set", "iterations=20", "--set", "payload=read", "-o", "run", "--export",
                    "tlp,nettlp"})
              .code == 0);
  const auto text = shell.run({"replay", "run/tlps.tsv"});
  CHECK(text.code == 0);
  CHECK(holds(text.out, "read as gicsim.tlp_log/1: 150 requests, each once"));
  CHECK(holds(text.out, "requester 0x0002, played by node0.nic0"));
  CHECK(holds(text.out, "What binds"));
  const auto json =
      nlohmann::json::parse(shell.run({"replay", "run/tlps.tsv", "--json", "-o", "again", "--export", "tlp"}).out);
  CHECK(json.at("schema") == "gicsim.tlp_replay/1");
  CHECK(json.at("makespan_ps") == json.at("captured_ps"));
  CHECK(std::filesystem::exists(shell.folder.path() + "/again/tlps.tsv"));
  const auto capture = nlohmann::json::parse(shell.run({"replay", "run/nettlp.pcap", "--json"}).out);
  CHECK(capture.at("requests") == 150);
  const auto narrow =
      nlohmann::json::parse(shell.run({"replay", "run/tlps.tsv", "--set", "nic.pcie.lanes=4", "--json"}).out);
  CHECK(narrow.at("makespan_ps") > json.at("makespan_ps"));
  shell.folder.write("cut.tsv", contents(shell.folder.path() + "/run/tlps.tsv").substr(0, 3000));
  const auto cut = shell.run({"replay", "cut.tsv"});
  CHECK(cut.code == 2);
  CHECK(cut.out.empty());
  CHECK(holds(cut.err, "the file ends inside a line; it was cut off"));
  CHECK(shell.run({"replay", "run/tlps.tsv", "--path", "cpu_post"}).code == 2);
  CHECK(shell.run({"replay", "run/tlps.tsv", "run/tlps.tsv"}).code == 2);
}

}  // namespace
}  // namespace gicsim
