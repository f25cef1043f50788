// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include "models/host/core.h"
#include "tests/support/bench.h"
#include "tests/support/dma.h"

namespace gicsim::host {
namespace {

using Times = std::vector<Picoseconds>;
constexpr Address window = Address{1} << 30;

/// A core at 1 GHz, loaded before it is made.
struct Fixture {
  HostParams params;
  Bench bench;
  Dma dma{bench.kernel, 1us};
  Host& host;
  Times done;

  explicit Fixture(const std::function<void(HostParams&)>& change = {}, CpuLoad load = {})
      : params(made(change)),
        host(bench.add_named<Host>("host", params, Address{0}, Address{1} << 20)) {
    host.port.bind(dma);
    host.load(load);
  }
  static HostParams made(const std::function<void(HostParams&)>& change) {
    HostParams p{};
    p.clock_cold = 1_GHz;
    p.dram_rate = 8000_Gbps;
    if (change) change(p);
    return p;
  }
  void note() { done.push_back(bench.now()); }
};

Probability percent(std::int64_t n) { return Probability::steps(Probability::certain / 100 * n); }

Task work(Fixture& f, Core& core, Cycles cycles, int times) {
  for (int i = 0; i < times; ++i) co_await core.work(cycles, 0, nullptr, Stage::proxy_work);
  f.note();
}

TEST_CASE("core: beside a busy hardware thread it has a share of its speed") {
  Fixture f({}, {percent(50), true});
  Core core(f.host, "core0");
  f.bench.kernel.start("p", work(f, core, 800_cycles, 1));
  f.bench.run();
  CHECK(f.done == Times{1us});  // 1 - 0.5 x (1 - 0.6)
  CHECK(f.host.stats().core_busy == 1us);
  CHECK(f.host.stats().preempted == 0ns);
}

TEST_CASE("core: others that want four fifths of it have four slices of five, and no work is lost") {
  Fixture f([](HostParams& p) { p.time_slice = 10us; }, {percent(80), false});
  Core core(f.host, "core0");
  f.bench.kernel.start("p", work(f, core, 1000_cycles, 100));
  f.bench.run();
  CHECK(f.host.stats().core_busy == 100us);
  CHECK(f.host.stats().preempted == f.done.front() - 100us);
  CHECK(f.done.front() >= 100us + 9 * 40us);  // ten slices, wherever in one it began
  CHECK(f.done.front() <= 100us + 11 * 40us);
}

TEST_CASE("core: the same seed begins at the same place of a slice") {
  const auto end = [](std::uint64_t seed) {
    Fixture f([](HostParams& p) { p.time_slice = 10us; }, {percent(80), false});
    f.host.vary({{}, seed});
    Core core(f.host, "core0");
    f.bench.kernel.start("p", work(f, core, 1000_cycles, 3));
    f.bench.run();
    return f.done.front();
  };
  CHECK(end(1) == end(1));
  CHECK(end(1) != end(2));
}

std::vector<Bytes> stored(Bytes combining, Bytes length, Content content, std::size_t& tells) {
  Fixture f([combining](HostParams& p) { p.write_combining = combining; });
  Core core(f.host, "core0");
  f.bench.run();
  core.store(window, length, content, nullptr, Stage::doorbell_flight);
  std::vector<Bytes> lengths;
  for (const Dma::Access& write : f.dma.writes) {
    if (write.content.index() != 0) tells = lengths.size();
    lengths.push_back(write.length);
  }
  return lengths;
}

TEST_CASE("core: a full write-combining buffer is one TLP, the rest leaves 8 B at a time") {
  using Lengths = std::vector<Bytes>;
  std::size_t tells = 9;
  CHECK(stored(64_B, 8_B, std::uint64_t{1}, tells) == Lengths{8_B});
  CHECK(tells == 0);
  CHECK(stored(64_B, 64_B, Wqe{}, tells) == Lengths{64_B});
  CHECK(tells == 0);
  CHECK(stored(64_B, 128_B, Wqe{}, tells) == Lengths{64_B, 64_B});
  CHECK(tells == 1);  // whole when the last line is there
  CHECK(stored(64_B, 84_B, std::uint64_t{1}, tells) == Lengths{64_B, 8_B, 8_B, 4_B});
  CHECK(tells == 3);
  CHECK(stored(8_B, 64_B, Wqe{}, tells) == Lengths(8, 8_B));
  CHECK(tells == 0);  // a doorbell, by its first 8 B
}

Task fill(Fixture& f, Core& core, Bytes length) {
  co_await core.fill(window, length, std::uint64_t{1}, nullptr, nullptr, Stage::call, Stage::remote_write);
  f.note();
}

TEST_CASE("core: a copy to a window takes its stores, as many buffers as there are, and the last one's drain") {
  const auto takes = [](Bytes length, const std::function<void(HostParams&)>& change = {}) {
    Fixture f(change);
    Core core(f.host, "core0");
    f.bench.kernel.start("p", fill(f, core, length));
    f.bench.run();
    CHECK(f.dma.writes.size() == static_cast<std::size_t>(pieces(length, 64_B)));
    return f.done.front();
  };
  CHECK(takes(64_B) == 4ns + 70ns);
  CHECK(takes(640_B) == 40ns + 70ns);               // ten buffers
  CHECK(takes(704_B) == 4ns + 70ns + 70ns);         // the eleventh line waits for the first one's
  CHECK(takes(640_B, [](HostParams& p) { p.write_buffers = 1; }) == 4ns + 10 * 70ns);
  CHECK(takes(256_B, [](HostParams& p) { p.posted_lines = 1; }) == 4ns + 3 * 500ns + 70ns);  // a line there in half the round trip
}

}  // namespace
}  // namespace gicsim::host
