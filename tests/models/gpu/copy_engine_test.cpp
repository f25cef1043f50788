// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/copy_engine.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/bench.h"
#include "tests/support/dma.h"

namespace gicsim::gpu {
namespace {

constexpr Address own = 0x1000'0000, host = 0;
using Times = std::vector<Picoseconds>;

const GpuParams& with_rates(GpuParams& params) {
  params.store_port = 1_cycles;
  params.memory_rate = 8000_Gbps;
  return params;
}

/// An engine whose port leads to a memory 1 us there and back, without links. It asks for a piece every 8 ns.
struct Fixture {
  GpuParams params;
  CopyEngineParams engine_params{.start = 300ns, .flush = 200ns, .piece = 4_KiB, .window = 8_KiB, .rate = 4096_Gbps};
  Bench bench;
  Dma dma{bench.kernel, 1us};
  Gpu& gpu{bench.add_named<Gpu>("gpu", with_rates(params), own, Address{0x1000'0000})};
  CopyEngine engine{"gpu.copy", bench.kernel, gpu, engine_params};
  Ledger ledger, data;
  Times done;

  explicit Fixture(const CopyEngineParams& p) : engine_params(p) { gpu.port.bind(dma); }
  Fixture() { gpu.port.bind(dma); }
  void run(Address from, Address to, Bytes length, Ledger* follow = nullptr, Ledger* fork = nullptr) {
    bench.kernel.start("copy", copy(from, to, length, follow, fork));
  }

 private:
  Task copy(Address from, Address to, Bytes length, Ledger* follow, Ledger* fork) {
    co_await engine.copy(from, to, length, std::uint64_t{7}, follow, fork);
    done.push_back(bench.now());
  }
};

TEST_CASE("copy engine: to the host, pieces are written; over when the last has got through and is flushed") {
  Fixture f;
  f.run(own, host, 6_KiB);
  f.bench.run();
  CHECK(Dma::times(f.dma.writes) == Times{300ns, 308ns});
  CHECK(f.dma.writes[1].length == 2_KiB);
  CHECK(f.dma.writes[1].address == 4096);
  CHECK(f.done == Times{308ns + 500ns + 200ns});
  REQUIRE(f.dma.cells.read(4096, 808ns).content);  // seen in the last piece's line
  CHECK(std::get<std::uint64_t>(*f.dma.cells.read(4096, 808ns).content) == 7);
  CHECK(f.engine.stats().copies == 1);
  CHECK(f.engine.stats().copied == 6_KiB);
  CHECK(f.engine.stats().busy == 1008ns);
}

TEST_CASE("copy engine: from the host, pieces are read; the content is there with the last byte") {
  Fixture f;
  f.run(host, own, 8_B);
  f.bench.run();
  CHECK(Dma::times(f.dma.reads) == Times{300ns});
  CHECK(f.done == Times{300ns + 1us + 200ns});
  CHECK(f.gpu.cells().read(own, 1300ns - 1_ps).content == nullptr);
  CHECK(f.gpu.cells().read(own, 1300ns).content != nullptr);
}

TEST_CASE("copy engine: no more under way than its window") {
  Fixture f;
  f.run(host, own, 20_KiB);
  f.bench.run();
  CHECK(Dma::times(f.dma.reads) == Times{300ns, 308ns, 1300ns, 1308ns, 2300ns});
}

TEST_CASE("copy engine: it asks for pieces at its own rate, whatever the window allows") {
  Fixture f({.start = 300ns, .flush = 200ns, .window = 64_KiB, .rate = 327'680_Mbps});
  f.run(host, own, 20_KiB);
  f.bench.run();
  CHECK(Dma::times(f.dma.reads) == Times{300ns, 400ns, 500ns, 600ns, 700ns});
  CHECK(f.done == Times{700ns + 1us + 200ns});
}

TEST_CASE("copy engine: one copy after another, the next starts when the first is flushed") {
  Fixture f;
  f.run(own, host, 8_B);
  f.run(own, host, 8_B);
  f.bench.run();
  CHECK(Dma::times(f.dma.writes) == Times{300ns, 1us + 300ns});
  CHECK(f.done == Times{1us, 2us});
}

TEST_CASE("copy engine: the data's ledger forks off with the last byte, the caller's goes on to the flush") {
  Fixture f;
  f.ledger.start(0ns);
  f.run(own, host, 8_B, &f.ledger, &f.data);
  f.bench.run();
  CHECK(f.data.total() == 800ns);
  CHECK(f.ledger.total() == 1us);
}

}  // namespace
}  // namespace gicsim::gpu
