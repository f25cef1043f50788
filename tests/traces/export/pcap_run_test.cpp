// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs, their packets in a file, and what a reader finds there.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "tests/traces/export/pcap_runs.h"

namespace gicsim::exports {
namespace {

roce::Survey survey(const std::string& file) {
  std::istringstream in(file);
  roce::Capture capture(in, "packets");
  roce::Survey survey;
  survey.read(capture);
  return survey;
}

std::int64_t counter(const report::Finished& run, const std::string& end) {
  std::int64_t sum = 0;
  for (const report::Counter& one : run.ports)
    if (one.name == end && one.module.find(".qp") == std::string::npos) sum += one.value;
  return sum;
}

TEST_CASE("pcap: every frame of every kind of run has a right ICRC, and can be read") {
  for (const bool infiniband : {false, true})
    for (const Case& one : cases()) {
      if (infiniband && one.only_rocev2) continue;
      CAPTURE(one.name);
      CAPTURE(infiniband);
      const PcapRun of = pcap_run(one.name, one.sets, infiniband, 4_MiB);
      CHECK(of.name == (infiniband ? "packets.erf.pcapng" : "packets.pcapng"));
      const roce::Survey s = survey(of.file);
      CHECK(s.icrc_wrong + s.icrc_unknown == 0);
      CHECK(s.icrc_right > 0);
      CHECK(s.frames >= s.icrc_right);
      const std::set<std::string> expected = {
          "neither IP nor RoCE", "a manufacturer's own opcode (mlx5's DC has such): not read",
          "a CNP to a queue pair of which nothing else is known"};
      for (const roce::NotUsed& why : s.not_used()) CHECK_MESSAGE(expected.contains(why.why), why.why);
    }
}

TEST_CASE("pcap: what a lossy run sent and sent again is what its capture shows") {
  for (const char* name : {"put_bw_lossy_1percent", "put_bw_lossy_1percent_selective"})
    for (const bool infiniband : {false, true}) {
      CAPTURE(name);
      const PcapRun of = pcap_run(name, {{"iterations", "60"}, {"warmup", "5"}}, infiniband);
      const roce::Survey s = survey(of.file);
      REQUIRE(s.flows().size() == 1);
      const roce::Flow& flow = *s.flows()[0];
      CHECK(flow.messages == 65);
      CHECK(flow.payload == 65u * 65'536);
      CHECK(flow.cut + flow.missing + flow.late == 0);
      CHECK(flow.resent == static_cast<std::uint64_t>(of.run.counters.empty() ? 0 : counter(of.run, "retransmitted")));
      CHECK(flow.resent > 0);
      REQUIRE(flow.elsewhere.size() == 1);
      const std::uint64_t lost = flow.packets - flow.elsewhere[0]->packets;
      CHECK(lost > 0);
      CHECK(s.places()[flow.key.place].name == "node0.nic0");
      CHECK(s.places()[flow.elsewhere[0]->key.place].name == "node1.nic0");
    }
}

TEST_CASE("pcap: a put's frames, at both ports, at the times of the wire") {
  const PcapRun of = pcap_run("put_8B", {{"iterations", "1"}, {"warmup", "0"}}, false);
  const auto frames = taken(of.file);
  REQUIRE(frames.size() == 4);
  const auto& [sent, arrived, ack, acked] = std::tie(*frames[0], *frames[1], *frames[2], *frames[3]);
  CHECK(sent.place == "node0.nic0");
  CHECK(arrived.place == "node1.nic0");
  CHECK(sent.direction == roce::Direction::out);
  CHECK(arrived.direction == roce::Direction::in);
  CHECK(sent.octets == arrived.octets);
  CHECK(sent.h().opcode == 0x0a);
  CHECK(ack.h().opcode == 0x11);
  CHECK(ack.place == "node1.nic0");
  CHECK(acked.place == "node0.nic0");
  CHECK(ack.h().aeth->msn == 1);
  CHECK(sent.ns < arrived.ns);
  CHECK(arrived.ns < ack.ns);
  CHECK(holds(of.file, "qp1 WQE 0"));
}

TEST_CASE("pcap: equal runs give equal bytes") {
  const Sets few = {{"iterations", "30"}, {"warmup", "2"}};
  for (const bool infiniband : {false, true})
    CHECK(pcap_run("put_bw_lossy_1percent", few, infiniband).file == pcap_run("put_bw_lossy_1percent", few, infiniband).file);
}

TEST_CASE("pcap: a file that is full ends where it has gaps, and what is left out is counted") {
  const Sets few = {{"iterations", "30"}, {"warmup", "2"}};
  const PcapRun whole = pcap_run("put_bw_lossy_1percent", few, false);
  CHECK(whole.left_out.empty());
  const auto all = taken(whole.file);
  const PcapRun part = pcap_run("put_bw_lossy_1percent", few, false, 200_KiB);
  CHECK(part.file.size() <= 200 * 1024);
  CHECK(part.file.size() > 190 * 1024);
  const auto some = taken(part.file);
  REQUIRE(part.left_out.size() == 1);
  CHECK(static_cast<std::size_t>(part.left_out[0].of) == all.size());
  CHECK(static_cast<std::size_t>(part.left_out[0].left_out) == all.size() - some.size());
  for (std::size_t i = 0; i < some.size(); ++i) REQUIRE(some[i]->octets == all[i]->octets);
  CHECK(holds(part.file, "; cut at 200 KiB: "));
  const PcapRun none = pcap_run("put_bw_lossy_1percent", few, false, 1_B);
  CHECK(taken(none.file).empty());
  CHECK(static_cast<std::size_t>(none.left_out[0].left_out) == all.size());
}

TEST_CASE("pcap: what a cable's own retry sends again is seen once") {
  const Sets few = {{"iterations", "4"}, {"warmup", "1"}};
  const PcapRun of = pcap_run("put_bw_link_retry", few, false);
  CHECK(of.run.status == Status::done);
  const roce::Survey s = survey(of.file);
  REQUIRE(s.flows().size() == 1);
  CHECK(s.flows()[0]->resent == 0);
  CHECK(s.flows()[0]->packets == s.flows()[0]->elsewhere[0]->packets);
}

}  // namespace
}  // namespace gicsim::exports
