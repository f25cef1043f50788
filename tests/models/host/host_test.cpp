// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/host.h"

#include <doctest/doctest.h>

#include "models/protocol/interrupt.h"
#include "tests/support/bench.h"
#include "tests/support/dma.h"

namespace gicsim::host {
namespace {

struct Fixture {
  HostParams params{.clock_cold = 2_GHz, .clock_warm = 4_GHz, .cache_miss = 0ns, .dram_read = 100ns, .dram_rate = 64_Gbps};
  Bench bench;
  Dma dma{bench.kernel, 1us};
  Host& host = bench.add_named<Host>("host", params, Address{0}, Address{1} << 40);
  Fixture() { host.port.bind(dma); }
};

TEST_CASE("host: memory executes a device's atomic, in the time of a read of 8 B") {
  Fixture f;
  f.host.cells().write(0x80, std::uint64_t{5}, 0ns);
  Transfer add{.kind = Transfer::Kind::atomic, .op = AtomicOp::fetch_add, .address = 0x80, .length = 8_B, .operand = 2};
  const auto ready = f.host.target->on_atomic(add, 0ns);
  REQUIRE(ready);
  CHECK(*ready == 101ns);
  f.host.target->execute(add, *ready);
  CHECK(std::get<std::uint64_t>(add.content) == 5);
  CHECK(std::get<std::uint64_t>(*f.host.cells().read(0x80, *ready).content) == 7);
  CHECK(f.host.stats().dma_atomics == 1);
}

TEST_CASE("host: an MSI-X write is an interrupt, and none of memory's writes") {
  Fixture f;
  Transfer write{.address = interrupt_base + 4, .length = 4_B};
  f.host.target->on_write(write, 0ns);
  CHECK(f.host.stats().interrupts == 1);
  CHECK(f.host.stats().dma_writes == 0);
  write.address = interrupt_base - 64;
  f.host.target->on_write(write, 0ns);
  CHECK(f.host.stats().interrupts == 1);
  CHECK(f.host.stats().dma_writes == 1);
}

}  // namespace
}  // namespace gicsim::host
