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
  CHECK(noted(*source, "of a log without NCCL_DEBUG_SUBSYS=COLL only the hosts of ranks are known"));
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

TEST_CASE("nccl log: the calls of a real job, each collective and message of it") {
  const std::vector<std::string> logs{sample("h200_nccl.0.log"), sample("h200_nccl.1.log")};
  const auto source = open_nccl_log(logs);
  REQUIRE(source->ranks() == 2);
  CHECK(source->hosts() == std::vector<std::string>{"vm", "vm"});
  const auto all = all_steps(*source);
  const schedule::Play play(all);
  CHECK(play.stuck.empty());
  // Four rounds: 1 MiB reduced in two halves each way, 1 MiB a rank gathered, halves scattered, exchanged and sent both
  // ways, 1 MiB broadcast. And 7 barriers: 4 B reduced.
  CHECK(play.bytes == 4 * (2_MiB + 2_MiB + 1_MiB + 1_MiB + 1_MiB + 1_MiB) + 7 * 8_B);
  CHECK(source->unused().empty());
  CHECK(noted(*source, "ring of channel 00 and 01: 0 1"));
  for (const Step& step : all[0]) CHECK_FALSE((step.began || step.ended));
  CHECK(source->location(1, all[1][0]).line == 71);
  source->rewind();
  CHECK(all_steps(*source) == all);
  // One process's log alone: its partner never answers, so nothing of it can be played.
  const auto half = open_nccl_log({logs[1]});
  CHECK(half->ranks() == 2);
  CHECK(all_steps(*half)[1].empty());
  CHECK(counted(*half, "whose logs aren't given") == 27);
  CHECK(counted(*half, "a rank whose log isn't given") == 8);
  const std::string whole = contents(logs[1]);
  CHECK(
      holds(said(whole.substr(0, 9'000), open_nccl_log), "x: byte 9000: the file ends inside a line; it was cut off"));
  spoil(whole, "s.log", open_nccl_log);
}

TEST_CASE("nccl log: trees, parts of a communicator, messages that go together, and what can't be") {
  const std::string start =
      "h:1:1 [0] NCCL INFO ncclCommInitRank comm 0x1 rank 0 nranks 2 cudaDev 0 commId 0xa - Init START\n"
      "h:1:1 [1] NCCL INFO ncclCommInitRank comm 0x2 rank 1 nranks 2 cudaDev 1 commId 0xa - Init START\n";
  const auto call = [](const std::string& what, int comm, const std::string& rest) {
    return "h:1:1 [0] NCCL INFO " + what + ": opCount 0 sendbuff 0x1 recvbuff 0x2 " + rest + " comm 0x" +
           std::to_string(comm) + " [nranks=2] stream 0x5\n";
  };
  const auto both = [&](const std::string& what, const std::string& rest) {
    return call(what, 1, rest) + call(what, 2, rest);
  };
  const auto steps = [&](const std::string& text, std::uint64_t unused = 0) {
    const Folder folder;
    const auto source = open_nccl_log({folder.write("x.log", start + text)});
    const auto all = all_steps(*source);
    CHECK(schedule::Play(all).stuck.empty());
    CHECK(counted(*source, "") == unused);
    return all;
  };
  // Rank 0 sends, then receives; rank 1, too: as steps behind one another neither would wait in vain, but both posts go
  // together.
  const auto pair =
      steps(both("AllReduce", "count 4 datatype 9 op 0 root 0") + call("Send", 1, "count 8 datatype 5 op 0 root 1") +
            call("Recv", 1, "count 8 datatype 5 op 0 root 1") + call("Recv", 2, "count 8 datatype 5 op 0 root 0") +
            call("Send", 2, "count 8 datatype 5 op 0 root 0") + both("Broadcast", "count 3 datatype 0 op 0 root 1"));
  const auto message = [](const Step& s) { return s.name == "Send" || s.name == "Recv"; };
  std::vector<std::uint64_t> sent;
  for (const Step& step : pair[0]) {
    if (message(step)) {
      sent.push_back(step.number);
      CHECK(step.bytes == 64_B);
      CHECK(step.needs.size() == 1);
      CHECK(step.needs[0].step < sent[0]);
    } else if (sent.size() == 2) {
      REQUIRE(step.needs.size() >= 2);  // the collective behind them needs both
      CHECK(step.needs[0].step == sent[0]);
      CHECK(step.needs[1].step == sent[1]);
      break;
    }
  }
  CHECK(schedule::Play(pair).bytes == 4 * 4_B + 2 * 64_B + 3_B);

  const std::string reduce = both("AllReduce", "count 1024 datatype 7 op 0 root 0");
  const auto ring = steps(reduce);
  const auto tree =
      steps(reduce + "h:1:1 [0] NCCL INFO AllReduce: 4096 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..1}\n");
  CHECK(ring != tree);
  CHECK(schedule::Play(ring).bytes == schedule::Play(tree).bytes);

  const std::string split =
      "h:1:1 [0] NCCL INFO ncclCommSplit comm 0x3 rank 1 nranks 2 cudaDev 0 parent 0x1 splitCount 1 color 7 key 0 - "
      "Init COMPLETE\n"
      "h:1:1 [1] NCCL INFO ncclCommSplit comm 0x4 rank 0 nranks 2 cudaDev 1 parent 0x2 splitCount 1 color 7 key 0 - "
      "Init COMPLETE\n";
  const auto other = steps(split + call("Broadcast", 3, "count 5 datatype 2 op 0 root 1") +
                           call("Broadcast", 4, "count 5 datatype 2 op 0 root 1"));
  CHECK(schedule::Play(other).bytes == 20_B);
  bool from_zero = false;  // rank 1 of the part is rank 0 of the whole
  for (const Step& step : other[0]) from_zero = from_zero || step.action == schedule::Action::send;
  CHECK(from_zero);

  steps(reduce + both("AllReduce", "count -3 datatype 7 op 0 root 0") +
            both("AllReduce", "count 3 datatype 12 op 0 root 0") + both("Wink", "count 3 datatype 1 op 0 root 0") +
            call("AllReduce", 9, "count 3 datatype 1 op 0 root 0") + both("Send", "count 3 datatype 1 op 0 root 2"),
        9);
}

TEST_CASE("nccl ras: hosts of the largest communicator") {
  const auto source = open_nccl_ras({sample("ras.json")});
  CHECK(source->hosts() == std::vector<std::string>{"node-a", "node-a", "node-b"});
  CHECK(noted(*source, "rank 2 of communicator 0xae94423cfbb2ef4a doesn't answer"));
  CHECK(holds(said(R"({"communicators": [{"ranks": [{"rank": 5000000000}]}]})", open_nccl_ras), "one that can't be"));
  CHECK(open_nccl_ras({sample("h200_ras.json")})->hosts() == std::vector<std::string>{"192.0.2.2", "192.0.2.2"});
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
