// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/nccl.h"

#include <doctest/doctest.h>

#include "tests/traces/profile/support.h"

using namespace gicsim;
using namespace gicsim::profile;
using namespace std::chrono_literals;
using schedule::Step;

namespace {

const std::vector<std::string> profiler{sample("nccl-node-b-88021.txt"), sample("nccl-node-a-4157654.txt")};
const std::vector<std::string> inspector{sample("inspector.node-a.log"), sample("inspector.node-b.log")};

std::string said(const std::string& text, std::unique_ptr<schedule::Source> (*open)(const std::vector<std::string>&)) {
  const Folder folder;
  const std::string file = folder.write("x", text);
  return folder.relative(mistakes_of([&] { all_steps(*open({file})); }));
}

}  // namespace

TEST_CASE("nccl profiler: calls of two processes, their ranks and hosts") {
  const auto source = open_nccl_profiler(profiler);
  REQUIRE(source->ranks() == 2);
  CHECK(source->hosts() == std::vector<std::string>{"node-a", "node-b"});
  const auto all = all_steps(*source);
  const schedule::Play play(all);
  CHECK(play.stuck.empty());
  // 128 KiB reduced between two, 2 x 2000 B gathered, 512 B sent.
  CHECK(play.bytes == 128_KiB * 2 + 4000_B + 512_B);
  CHECK(all[0][0].began == 0ns);
  CHECK(all[1][0].began == 500ns);
  CHECK(counted(*source, "'NET_IB' events") == 2);
  CHECK(counted(*source, "'PROXY' events") == 2);
  CHECK(counted(*source, "'GROUP_API' events") == 2);
  source->rewind();
  CHECK(all_steps(*source) == all);
}

TEST_CASE("nccl profiler: of one process alone, and what can't be") {
  const auto source = open_nccl_profiler({profiler[1]});
  const auto all = all_steps(*source);
  REQUIRE(all.size() == 1);
  CHECK(all[0].size() == 3);
  CHECK(all[0][0].time == 72'021'406_ps - 406_ps);
  CHECK(counted(*source, "a collective among ranks whose files aren't given") == 2);
  CHECK(source->hosts().empty());
  const std::string begin =
      R"([{"name": "AllReduce", "cat": "COLL", "ph": "b", "id": 0, "pid": 1, "tid": 1, "ts": 10.0, "args": {"Rank": 0}},)";
  CHECK(said(begin + "{}]", open_nccl_profiler) == "x: no collective and no message is in it");
  CHECK(holds(
      said(begin + R"({"cat": "COLL", "ph": "e", "id": 0, "pid": 1, "tid": 1, "ts": 9.0},{}])", open_nccl_profiler),
      "an event ends before it begins"));
  CHECK(holds(said(begin, open_nccl_profiler), "the file ends inside JSON; it was cut off"));
  CHECK(holds(said(R"([{"cat": "COLL", "ph": "b"}])", open_nccl_profiler), "x: byte 1: an event without a time: ts"));
  spoil(contents(profiler[0]), "s.txt", open_nccl_profiler);
}

TEST_CASE("nccl inspector: one object a collective, with times where they were asked for") {
  const auto source = open_nccl_inspector(inspector);
  REQUIRE(source->ranks() == 2);
  CHECK(source->hosts() == std::vector<std::string>{"node-a", "node-b"});
  const auto all = all_steps(*source);
  const schedule::Play play(all);
  CHECK(play.stuck.empty());
  CHECK(play.bytes == 1_MiB * 2 + 128_KiB + 16_KiB);
  CHECK(all[1][0].began == 1us);
  CHECK(all[0].back().began == 2000us);
  CHECK(all[0].back().ended == 2021us);
  CHECK_FALSE(noted(*source, "when they began isn't recorded"));
}

TEST_CASE("nccl inspector: without times one follows another; what can't be is told") {
  const Folder folder;
  const std::string header = R"({"header": {"id": "0x1", "rank": 0, "n_ranks": 2}, "metadata": {}, "coll_perf": )";
  const std::string record =
      header + R"({"coll": "AllReduce", "coll_sn": 1, "coll_msg_size_bytes": 8192, "coll_exec_time_us": 7}})";
  const auto source = open_nccl_inspector({folder.write("a", record + "\n" + record + "\n")});
  const auto all = all_steps(*source);
  REQUIRE(all[0].size() == 2);
  CHECK(all[0][1].began == 7us);
  CHECK(noted(*source, "when they began isn't recorded"));
  CHECK(counted(*source, "a collective among ranks whose files aren't given") == 2);
  CHECK(holds(said(header + R"({"coll": "AllReduce", "coll_exec_time_us": -1}})", open_nccl_inspector),
              "coll_exec_time_us: no time"));
  CHECK(holds(said(record + "\n" + record.substr(0, 90), open_nccl_inspector), "the file ends inside a "));
  CHECK(said("{\"header\": {}}", open_nccl_inspector) == "x: no collective and no message is in it");
  spoil(contents(inspector[0]), "s.log", open_nccl_inspector);
}

TEST_CASE("nccl log: hosts of ranks, rings, and who talks to whom") {
  const auto source = open_nccl_log({sample("nccl.log")});
  CHECK(source->ranks() == 4);
  CHECK(source->hosts() == std::vector<std::string>{"node-a", "node-a", "node-b", "node-b"});
  CHECK(noted(*source, "this log has neither messages nor times"));
  CHECK(noted(*source, "this is the largest"));
  CHECK(noted(*source, "NET/IB : Using [0]mlx5_0:1/RoCE"));
  CHECK(noted(*source, "rank 1: host node-a, GPU 1, bus 43000"));
  CHECK(noted(*source, "ring of channel 01: 0 3 2 1"));
  CHECK(noted(*source, "rank 0 -> 1: 2 channels over P2P/CUMEM/read"));
  CHECK(noted(*source, "rank 1 -> 2: 1 channel over NET/IB/0/GDRDMA"));
  CHECK(noted(*source, "rank 2 -> 3: 1 channel over SHM/direct/direct"));
  CHECK(counted(*source, "lines that aren't NCCL's") == 1);
  Step step;
  CHECK_FALSE(source->next(0, step));
  CHECK(holds(said("a:1:1 [0] NCCL INFO Bootstrap\n", open_nccl_log), "no line says which rank ran where"));
  CHECK(holds(said("a:1:1 [0] NCCL INFO comm 0x1 rank 7 nranks 99999999 x\n", open_nccl_log), "no line says"));
  spoil(contents(sample("nccl.log")), "s.log", open_nccl_log);
}

TEST_CASE("nccl log: calls that it has become steps, in order, without times; a captured one of two GPUs") {
  const auto source = open_nccl_log({sample("h200/nccl.rank0.log"), sample("h200/nccl.rank1.log")});
  REQUIRE(source->ranks() == 2);
  CHECK(source->hosts() == std::vector<std::string>{"vm", "vm"});
  const auto all = all_steps(*source);
  const schedule::Play play(all);
  CHECK(play.stuck.empty());
  // Five rounds: 4 and 2 MiB twice reduced, 4 MiB of each gathered, 4 MiB scattered, exchanged, broadcast, sent; at the
  // end a barrier.
  CHECK(play.bytes == (8_MiB + 4_MiB + 8_MiB + 4_MiB + 4_MiB + 4_MiB + 4_MiB) * 5 + 8_B);
  CHECK_FALSE(all[0][0].began);
  CHECK(noted(*source, "it has no times"));
  CHECK(noted(*source, "ring of 24 channels, 00 .. 23: 0 1"));
  CHECK(source->unused().empty());
  source->rewind();
  CHECK(all_steps(*source) == all);
}

TEST_CASE("nccl log: calls of a communicator that nobody introduced are counted") {
  const Folder folder;
  const std::string
      init =
          "a:7:9 [0] NCCL INFO ncclCommInitRank comm 0x1 rank 0 nranks 1 cudaDev 0 busId 60 commId 0xab - Init START\n",
      call = "a:7:9 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x2 recvbuff 0x2 count 4 datatype 7 op 0 root 0 comm ";
  const auto source = open_nccl_log(
      {folder.write("x", init + call + "0x1 [nranks=1] stream 0x3\n" + call + "0x9 [nranks=1] stream 0x3\n")});
  all_steps(*source);
  CHECK(counted(*source, "a communicator whose initialisation isn't logged") == 1);
  const std::string whole = contents(sample("h200/nccl.rank0.log"));
  CHECK(holds(said(whole.substr(0, 20'000), open_nccl_log), "x: byte 20000: the file ends inside a line; it was cut off"));
  spoil(whole, "s.log", open_nccl_log);
}

TEST_CASE("nccl ras: what a job answered, with the protocol's lines ahead") {
  const auto source = open_nccl_ras({sample("h200/ras.txt")});
  CHECK(source->hosts() == std::vector<std::string>{"192.0.2.2", "192.0.2.2"});
}

TEST_CASE("nccl ras: hosts of the largest communicator") {
  const auto source = open_nccl_ras({sample("ras.json")});
  CHECK(source->hosts() == std::vector<std::string>{"node-a", "node-a", "node-b"});
  CHECK(noted(*source, "rank 2 of communicator 0xae94423cfbb2ef4a doesn't answer"));
  CHECK(holds(said(R"({"communicators": [{"ranks": [{"rank": 5000000000}]}]})", open_nccl_ras), "one that can't be"));
  CHECK(holds(said(R"({"communicators": []})", open_nccl_ras), "no communicator with ranks"));
  spoil(contents(sample("ras.json")), "s.json", open_nccl_ras);
}

TEST_CASE("nccl: each is told by its first octets") {
  const std::string heads[] = {contents(profiler[0]), contents(inspector[0]), contents(sample("nccl.log")),
                               contents(sample("ras.json"))};
  bool (*const tests[])(std::string_view) = {looks_like_nccl_profiler, looks_like_nccl_inspector, looks_like_nccl_log,
                                             looks_like_nccl_ras};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) CHECK(tests[j](heads[i].substr(0, 1000)) == (i == j));
}
