// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/kineto.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/traces/profile/support.h"
#include "traces/profile/words.h"

using namespace gicsim;
using namespace gicsim::profile;
using namespace std::chrono_literals;
using schedule::Action;
using schedule::Step;

namespace {

const std::vector<std::string> both{sample("kineto.rank1.json"), sample("kineto.rank0.json")};

Step named(const std::vector<Step>& steps, const std::string& name, std::size_t which = 0) {
  for (const Step& step : steps)
    if (holds(step.name, name) && which-- == 0) return step;
  return {};
}

std::string event(const std::string& more) {
  return R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, )" + more + "}";
}

}  // namespace

TEST_CASE("kineto: two ranks' kernels, copies and messages play to their end") {
  const auto source = open_kineto(both);
  REQUIRE(source->ranks() == 2);
  const auto all = all_steps(*source);
  const schedule::Play play(all);
  CHECK(play.stuck.empty());
  // A gather of 256 KiB between two, 8 KiB sent, 2 MiB reduced in a ring of two.
  CHECK(play.bytes == 256_KiB + 8_KiB + 4_MiB);
  CHECK(counted(*source, "'cpu_op' events") == 2);
  CHECK(counted(*source, "'cuda_runtime' events") == 2);
  CHECK(counted(*source, "events of phase 's'") == 2);
  CHECK(counted(*source, "doesn't say what it does") == 2);
  source->rewind();
  CHECK(all_steps(*source) == all);
}

TEST_CASE("kineto: a profile of PyTorch 2.11 on two H200, gzipped, as it wrote it") {
  const auto source = open_kineto({sample("h200/kineto.rank0.json.gz"), sample("h200/kineto.rank1.json.gz")});
  REQUIRE(source->ranks() == 2);
  const auto all = all_steps(*source);
  const schedule::Play play(all);
  CHECK(play.stuck.empty());
  // Two rounds: 4 and 2 MiB reduced, 4 MiB of each gathered, 4 MiB scattered, exchanged, broadcast, sent.
  CHECK(play.bytes == (8_MiB + 4_MiB + 8_MiB + 4_MiB + 4_MiB + 4_MiB + 4_MiB) * 2);
  CHECK(counted(*source, "collective") == 0);
  std::size_t products = 0;
  for (const Step& step : all[0]) products += holds(step.name, "gemm");
  CHECK(products == 6);
}

TEST_CASE("kineto: where Seq says that traces begin with different collectives, that is told") {
  const Folder folder;
  const auto trace = [&](int rank, int seq) {
    return folder.write(
        "r" + std::to_string(rank) + ".json",
        R"({"distributedInfo": {"rank": )" + std::to_string(rank) + R"(, "world_size": 2}, "traceEvents": [)" +
            event(R"("ts": 1, "dur": 2, "args": {"Collective name": "allreduce", "In msg nelems": 8, "dtype": "Float",
                            "Process Group Name": "0", "Process Group Ranks": "[0, 1]", "Seq": )" +
                  std::to_string(seq) + "}") +
            "]}");
  };
  const auto same = open_kineto({trace(0, 5), trace(1, 5)});
  all_steps(*same);
  CHECK(counted(*same, "Seq") == 0);
  const auto apart = open_kineto({trace(0, 5), trace(1, 6)});
  all_steps(*apart);
  CHECK(counted(*apart, "Seq") == 1);
}

TEST_CASE("kineto: what a PyTorch without it writes is told apart") {
  const Folder folder;
  const std::string text =
      R"([{"name": "aten::mm", "ph": "X", "ts": 1, "dur": 2, "tid": 1, "pid": "CPU functions", "args": {}}])";
  CHECK(looks_like_kineto(text));
  CHECK(holds(mistakes_of([&] { open_kineto({folder.write("x.json", text)}); }), "without Kineto"));
}

TEST_CASE("kineto: times are kept, gaps are between what was waited for and the begin") {
  const auto source = open_kineto(both);
  const auto all = all_steps(*source);
  const Step& first = all[0][0];
  CHECK(first.began == 0ns);
  CHECK(first.ended == 100'500ns);
  CHECK(first.time == 100'500ns);
  CHECK(all[1][0].began == 3us);
  CHECK(all[1][0].gap == 3us);
  const Step& second = all[0][1];
  CHECK(second.gap == 1us);
  REQUIRE(second.needs.size() == 1);
  CHECK(second.needs[0].step == 0);
  // The gather begins on an idle stream, behind the first kernel; the third kernel waits for the gather.
  const Step gather = all[0][2];
  CHECK(gather.gap == 2'250ns);
  CHECK(gather.began == 102'750ns);
  const Step third = named(all[0], "sm90", 1);
  CHECK(third.gap == 2us);
  REQUIRE(third.needs.size() == 2);
  CHECK(third.needs[1].step == third.number - 1);
  CHECK(named(all[0], "Memcpy").time == 2'500ns);
  CHECK(named(all[0], "ncclKernel_AllReduce").time == 11us);
}

TEST_CASE("kineto: gzipped is the same") {
  const Folder folder;
  std::vector<std::string> packed;
  for (const std::string& file : both) {
    packed.push_back(folder.path() + "/" + file.substr(file.rfind('/') + 1) + ".gz");
    REQUIRE(std::system(("gzip -c " + file + " > " + packed.back()).c_str()) == 0);
  }
  CHECK(all_steps(*open_kineto(packed)) == all_steps(*open_kineto(both)));
}

TEST_CASE("kineto: of one rank alone, what it did with others takes the time that it took") {
  const auto source = open_kineto({both[0]});
  const auto all = all_steps(*source);
  REQUIRE(all.size() == 1);
  CHECK(named(all[0], "ncclDevKernel_AllReduce").time == 300'750ns);
  CHECK(counted(*source, "a collective among ranks whose traces aren't given") == 2);
  CHECK(counted(*source, "a message whose other rank isn't given") == 1);
  CHECK(noted(*source, "ranks 0, 1, ... of the schedule are these of the traces: 1"));
}

TEST_CASE("kineto: what can't be is told with its octet") {
  const Folder folder;
  const auto said = [&](const std::string& text) {
    const std::string file = folder.write("a.json", text);
    return folder.relative(mistakes_of([&] { all_steps(*open_kineto({file})); }));
  };
  CHECK(said(R"({"traceEvents": []})").empty());
  CHECK(said("{\"traceEvents\": [" + event(R"("ts": 1, "dur": 2)") + "]}").empty());
  CHECK(holds(said("{\"traceEvents\": [" + event(R"("dur": 2)") + "]}"),
              "a.json: byte 17: an event on the GPU without a time: ts"));
  CHECK(holds(said("{\"traceEvents\": [" + event(R"("ts": 1, "dur": -2)") + "]}"), "whose length can't be: dur"));
  CHECK(holds(said("{\"traceEvents\": [" + event(R"("ts": 1, "dur": 1e30)") + "]}"), "whose length can't be: dur"));
  CHECK(
      holds(said("{\"traceEvents\": [" + event(R"("ts": 1, "dur": 2)")), "the file ends inside JSON; it was cut off"));
  CHECK(holds(said("{\"traceEvents\": [" + event(R"("ts": 1, "dur": 2,)") + "]}"), "a.json: byte "));
  const std::string copy = folder.write("rank0.json", contents(both[1]));
  CHECK(holds(folder.relative(mistakes_of([&] { open_kineto({copy, both[1]}); })), "is of rank 0, as rank0.json is"));
  spoil(contents(both[0]), "s.json", open_kineto);
}

TEST_CASE("kineto: work out of order comes into it, far more of it than is held") {
  const Folder folder;
  std::string text = "{\"traceEvents\": [";
  for (int i = 0; i < 30'000; ++i)  // pairs that stand the wrong way round
    text += event("\"ts\": " + std::to_string((i ^ 1) * 10) + ", \"dur\": 4") + ",";
  const auto source = open_kineto({folder.write("a.json", text + event("\"ts\": 0.5, \"dur\": 1") + "]}")});
  const auto all = all_steps(*source);
  REQUIRE(all[0].size() == 30'001);
  std::size_t back = 0;
  for (std::size_t i = 1; i < all[0].size(); ++i) back += all[0][i].began < all[0][i - 1].began;
  CHECK(back == 1);
  CHECK(counted(*source, "4096 pieces behind its time") == 1);
}

TEST_CASE("kineto: words of PyTorch's and NCCL's") {
  CHECK(size_of("BFloat16") == 2);
  CHECK(size_of("c10::Half") == 2);
  CHECK(size_of("ncclFloat32") == 4);
  CHECK(size_of("Float8_e4m3fn") == 1);
  CHECK(!size_of("Opaque"));
  CHECK(meaning_of("_reduce_scatter_base")->operation == schedule::Operation::reduce_scatter);
  CHECK(meaning_of("all_to_allv")->operation == schedule::Operation::all_to_all);
  CHECK(meaning_of("recv")->message == Message::receive);
  CHECK(!meaning_of("wait"));
  CHECK(ranks_in("[3, 1]", 2, 8) == std::vector<std::uint32_t>{3, 1});
  CHECK(ranks_in("[0, 8, 16, ..., 56]", 8, 64) == std::vector<std::uint32_t>{0, 8, 16, 24, 32, 40, 48, 56});
  CHECK(ranks_in("[0, 8, 17, ..., 56]", 8, 64).empty());
  CHECK(ranks_in("", 3, 3) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(ranks_in("[0, 1, ..., 9]", 1'000'000'000'000, 4).empty());
  CHECK(looks_like_kineto(contents(both[0]).substr(0, 300)));
  CHECK_FALSE(looks_like_kineto("[{\"ph\": \"b\"}]"));
}
