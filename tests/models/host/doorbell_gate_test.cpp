// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/doorbell_gate.h"

#include <doctest/doctest.h>

#include "models/host/core.h"
#include "tests/support/bench.h"
#include "tests/support/dma.h"

namespace gicsim::host {
namespace {

constexpr Address register_at = Address{1} << 47;

struct Fixture {
  HostParams params{.clock_cold = 2_GHz, .clock_warm = 4_GHz, .cache_miss = 0ns, .dram_read = 100ns, .dram_rate = 64_Gbps};
  GateParams gate{.entry = 500ns, .check = 400_cycles};
  Bench bench;
  Dma dma{bench.kernel, 1us};
  Host& host = bench.add_named<Host>("host", params, Address{0}, Address{1} << 40);
  explicit Fixture(Admits admits = Admits::all) {
    gate.admits = admits;
    host.port.bind(dma);
    host.guard(gate);
    bench.run_through(0ns);  // it has its port from then on
  }
  Address page() { return host.gate()->stand_before(1, register_at); }
};

TEST_CASE("gate: each doorbell is looked at, one after the other, and then goes to its NIC") {
  Fixture f;
  Transfer ring{.address = f.page(), .length = 8_B, .content = std::uint64_t{7}};
  f.host.target->on_write(ring, 0ns);
  ring.content = std::uint64_t{8};
  f.host.target->on_write(ring, 0ns);
  f.bench.run();
  REQUIRE(f.dma.writes.size() == 2);
  CHECK(f.dma.writes[0].at == 700ns);  // 400 cycles of 0.5 ns
  CHECK(f.dma.writes[1].at == 900ns);
  CHECK(f.dma.writes[0].address == register_at);
  CHECK(std::get<std::uint64_t>(f.dma.writes[1].content) == 8);
  CHECK(f.host.gate()->stats().passed == 2);
}

TEST_CASE("gate: a list without devices lets a core's doorbells through, and swallows a GPU's") {
  Fixture f(Admits::processors);
  Transfer ring{.address = f.page(), .length = 8_B, .content = std::uint64_t{7}};
  f.host.target->on_write(ring, 0ns);
  f.bench.run();
  CHECK(f.dma.writes.empty());
  CHECK(f.host.gate()->stats().refused == 1);
  Core core(f.host, "core");
  core.store(f.page(), 8_B, std::uint64_t{8}, nullptr, Stage::doorbell_flight);
  f.bench.run();
  REQUIRE(f.dma.writes.size() == 1);
  CHECK(std::get<std::uint64_t>(f.dma.writes[0].content) == 8);
}

TEST_CASE("gate: a page that stands for no NIC leads nowhere") {
  Fixture f;
  Transfer ring{.address = f.page() + 0x1'0000, .length = 8_B, .content = std::uint64_t{7}};
  f.host.target->on_write(ring, 0ns);
  f.bench.run();
  CHECK(f.dma.writes.empty());
  CHECK(f.host.gate()->stats().refused == 1);
}

}  // namespace
}  // namespace gicsim::host
