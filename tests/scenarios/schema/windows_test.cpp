// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "scenarios/schema/load.h"
#include "tests/support/files.h"

/// What has to be registered with a NIC, and what runs beside: messages in the words that users meet.
namespace gicsim::schema {
namespace {

std::string wrong(const std::vector<Override>& overrides, const std::string& system = "h200_cx7_ib") {
  const Folder folder;
  const std::string file = folder.write("s.yaml", "system: " + system + "\npattern: put\npath: gpu_direct\n");
  return folder.relative(mistakes_of([&] { load_scenario(file, overrides, source_root()); }));
}

TEST_CASE("windows: a window smaller than what is registered says what ibv_reg_mr says") {
  CHECK(wrong({{"registered", "64 GiB"}, {"gpu.bar1_size", "256 MiB"}}) ==
        "--set registered=64 GiB: registered: 64 GiB of GPU memory to register, but its window (gpu.bar1_size) is 256 "
        "MiB: ibv_reg_mr: Cannot allocate memory (errno 12). Only what BAR 1 shows has an address on the bus; enable a "
        "resizable BAR in the firmware, or register less");
  CHECK(wrong({{"bytes", "512 MiB"}, {"gpu.bar1_size", "256 MiB"}}).find("ibv_reg_mr: Cannot allocate memory") !=
        std::string::npos);
  CHECK(wrong({{"bytes", "64 MiB"}, {"gpu.bar1_size", "256 MiB"}}) == "");
  CHECK(wrong({{"registered", "64 GiB"}}) == "");
}

TEST_CASE("windows: without a peer memory driver GPU memory can't be registered; a path through host memory can") {
  const std::string said = wrong({{"gpu.peer_memory", "false"}});
  CHECK(said.find("errno 14 (Bad address)") != std::string::npos);
  CHECK(said.find("nvidia-peermem") != std::string::npos);
  CHECK(wrong({{"gpu.peer_memory", "false"}, {"path", "host_staged"}}) == "");
  CHECK(wrong({{"gpu.peer_memory", "false"}, {"path", "cpu_post"}, {"gdr", "none"}}) == "");
  CHECK(wrong({{"gpu.peer_memory", "false"}, {"path", "cpu_post"}}) != "");
}

TEST_CASE("pushes: only of a GPU thread's own single WQEs") {
  CHECK(wrong({{"push", "warp"}}) == "");
  CHECK(wrong({{"push", "warp"}, {"path", "cpu_proxy"}}).find("write 'path: gpu_direct'") != std::string::npos);
  CHECK(wrong({{"push", "warp"}, {"pattern", "put_bw"}, {"batch", "4"}}).find("write 'batch: 1'") != std::string::npos);
}

TEST_CASE("beside: a kernel is named, and its parameters exist only with it") {
  CHECK(wrong({{"beside", "gemm"}}) == "");
  CHECK(wrong({{"beside", "gemm"}, {"beside.clock_left", "0.8"}}) == "");
  CHECK(wrong({{"beside", "gem"}}).find("did you mean 'gemm'") != std::string::npos);
  CHECK(wrong({{"beside.clock_left", "0.8"}}).find("write 'beside: gemm'") != std::string::npos);
  CHECK(wrong({{"beside", "stream"}, {"gpu.memory_rate", "20000 Gbps"}}).find("beside.memory_rate") !=
        std::string::npos);
}

TEST_CASE("blocks: more than a GPU ever holds at once, and blocks that no multiprocessor holds, are mistakes") {
  const auto launch = [](std::vector<Override> more) {
    more.insert(more.end(), {{"pattern", "launch"}, {"path", "none"}});
    return wrong(more);
  };
  CHECK(launch({{"grid", "264"}, {"block_threads", "1024"}}) == "");
  CHECK(launch({{"grid", "265"}, {"block_threads", "1024"}}).find("write at most 'grid: 264'") != std::string::npos);
  CHECK(launch({{"block_threads", "1024"}, {"block_registers", "65"}}).find("hold 0 of them each") != std::string::npos);
  CHECK(wrong({{"beside", "gemm"}, {"beside.block_shared", "228 KiB"}}).find("no multiprocessor of this GPU holds") != std::string::npos);
}

TEST_CASE("flush: asked for by a CPU thread alone, and another NIC only where there is one") {
  CHECK(wrong({{"flush", "loopback"}}).find("write 'path: cpu_post'") != std::string::npos);
  const std::vector<Override> told{{"path", "cpu_post"}, {"receiver", "cpu"}, {"flush", "other_nic"}};
  CHECK(wrong(told, "gb200_cx7_ib").find("has one NIC a node; write 'flush: loopback'") != std::string::npos);
  CHECK(wrong(told, "h200_distances") == "");
}

}  // namespace
}  // namespace gicsim::schema
