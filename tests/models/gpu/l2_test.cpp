// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Walks of loads through own memory: what the L2 keeps of them.
#include <doctest/doctest.h>

#include <vector>

#include "models/gpu/thread.h"
#include "tests/support/bench.h"
#include "tests/support/dma.h"

namespace gicsim::gpu {
namespace {

constexpr Address own = 0x1000'0000, host = 0, window = 0x1000'0000;

/// One GPU at 1 GHz, so that a cycle is a nanosecond; a walk over so many lines, round and round.
struct Walk {
  GpuParams params;
  Bench bench;
  Dma dma{bench.kernel, 1us};
  Gpu& gpu;
  Thread thread;
  std::vector<Picoseconds> took;

  explicit Walk(Bytes l2_size)
      : params(with(l2_size)),
        gpu(bench.add_named<Gpu>("gpu", params, own, window)),
        thread(bench.kernel, gpu, "gpu.thread", host, window) {
    gpu.port.bind(dma);
  }
  static GpuParams with(Bytes l2_size) {
    GpuParams p{};
    p.clock = 1_GHz;
    p.l2_load = 200_cycles;
    p.l2_size = l2_size;
    p.hbm_load = 450ns;
    p.memory_rate = 8000_Gbps;
    return p;
  }
  Task go(Address lines, Address stride, int rounds) {
    for (int round = 0; round < rounds; ++round) {
      const Picoseconds begun = bench.now();
      for (Address i = 0; i < lines; ++i) co_await thread.walk(own + i * stride, Stage::compute);
      took.push_back(bench.now() - begun);
    }
  }
  std::vector<Picoseconds> run(Address lines, Address stride, int rounds) {
    bench.kernel.start("gpu.thread", go(lines, stride, rounds));
    bench.run();
    return took;
  }
};

TEST_CASE("l2: a walk misses each line once, then hits them all, whatever lies between them") {
  for (const Address stride : {Address{128}, Address{4096}, Address{65'536}}) {
    Walk walk(64_KiB);
    CHECK(walk.run(16, stride, 3) == std::vector<Picoseconds>{16 * 450ns, 16 * 200ns, 16 * 200ns});
  }
}

TEST_CASE("l2: loads of one line hit behind the first") {
  Walk walk(64_KiB);
  CHECK(walk.run(4, 32, 1) == std::vector<Picoseconds>{450ns + 3 * 200ns});
}

TEST_CASE("l2: of a walk through four times its size fewer than a quarter hit") {
  Walk walk(64_KiB);
  const std::vector<Picoseconds> took = walk.run(2048, 128, 4);
  CHECK(took[0] == 2048 * 450ns);
  CHECK(took[3] > 2048 * 450ns - 512 * 250ns);
  CHECK(took[3] < 2048 * 450ns);
}

TEST_CASE("l2: without a size every load hits") {
  Walk walk(0_B);
  CHECK(walk.run(8, 65'536, 1) == std::vector<Picoseconds>{8 * 200ns});
}

TEST_CASE("l2: a load that isn't a walk's hits, and leaves no line") {
  Walk walk(64_KiB);
  const auto both = [](Walk& w) -> Task {
    co_await w.thread.load(own, Stage::compute);
    w.took.push_back(w.bench.now());
    co_await w.thread.walk(own, Stage::compute);
    w.took.push_back(w.bench.now());
  };
  walk.bench.kernel.start("gpu.thread", both(walk));
  walk.bench.run();
  CHECK(walk.took == std::vector<Picoseconds>{200ns, 650ns});
}

}  // namespace
}  // namespace gicsim::gpu
