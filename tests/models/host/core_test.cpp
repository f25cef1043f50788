// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/core.h"

#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include "tests/support/bench.h"
#include "tests/support/dma.h"
#include "tests/support/script.h"

namespace gicsim::host {
namespace {

using Times = std::vector<Picoseconds>;

struct Fixture {
  HostParams params{.state = CpuState::cold,
                    .clock_cold = 2_GHz,
                    .clock_warm = 4_GHz,
                    .cache_miss = 47ns,
                    .poll = 50ns,
                    .dram_read = 100ns,
                    .dram_rate = 8000_Gbps};
  Bench bench;
  Dma dma{bench.kernel, 1us};
  Host& host;
  Core core;
  Script script{bench.kernel};
  std::vector<Picoseconds> done;

  explicit Fixture(CpuState state = CpuState::cold)
      : host((params.state = state, bench.add_named<Host>("host", params, Address{0}, Address{1} << 20))),
        core(host, "host.proxy0") {
    host.port.bind(dma);
  }
  void note() { done.push_back(bench.now()); }
};

Task work(Fixture& f, Cycles cycles, Count misses, Ledger* ledger = nullptr) {
  co_await f.core.work(cycles, misses, ledger, Stage::proxy_work);
  f.note();
}

Task poll(Fixture& f, Cycles loop, Picoseconds begin) {
  co_await f.bench.kernel.sleep(begin);
  co_await f.core.poll(0x40, loop, [](const Content& c) { return std::holds_alternative<std::uint64_t>(c); }, "a request");
  f.note();
}

TEST_CASE("core: work is cycles of the present clock, and misses when cold") {
  const auto time = [](CpuState state, Count misses) {
    Fixture f(state);
    f.bench.kernel.start("p", work(f, 400_cycles, misses));
    f.bench.run();
    return f.done.front();
  };
  CHECK(time(CpuState::cold, 0) == 200ns);
  CHECK(time(CpuState::cold, 2) == 200ns + 94ns);
  CHECK(time(CpuState::warm, 0) == 100ns);
  CHECK(time(CpuState::warm, 2) == 100ns);
}

TEST_CASE("core: its programs take turns; the second's wait is told to its ledger") {
  Fixture f;
  Ledger ledger;
  ledger.start(0ns);
  f.bench.kernel.start("a", work(f, 400_cycles, 0));
  f.bench.kernel.start("b", work(f, 100_cycles, 1, &ledger));
  f.bench.run();
  CHECK(f.done == Times{200ns, 297ns});
  REQUIRE(ledger.entries().size() == 1);
  CHECK(ledger.entries()[0] == Ledger::Entry{f.host.name(), 297ns, 200ns, Stage::proxy_work});
  CHECK(f.host.stats().core_busy == 297ns);
}

TEST_CASE("core: who has taken it does all its work before the next one's") {
  Fixture f;
  const auto twice = [](Fixture& fx) -> Task {
    co_await fx.core.take();
    co_await work(fx, 400_cycles, 0);
    co_await work(fx, 400_cycles, 0);
    fx.core.give();
  };
  f.bench.kernel.start("a", twice(f));
  f.bench.kernel.start("b", twice(f));
  f.bench.run();
  CHECK(f.done == Times{200ns, 400ns, 600ns, 800ns});
}

TEST_CASE("core: on a shared line one core works at a time; the other spins, which isn't work") {
  Fixture f;
  Core other(f.host, "host.proxy1");
  SharedLine line(f.host, "host.shared_state");
  Ledger ledger;
  ledger.start(0ns);
  const auto on_line = [](Fixture& fx, Core& core, SharedLine& at, Ledger* told) -> Task {
    co_await core.work_on(at, 400_cycles, told, Stage::proxy_work);
    fx.note();
  };
  f.bench.kernel.start("a", on_line(f, f.core, line, nullptr));
  f.bench.kernel.start("b", on_line(f, other, line, &ledger));
  f.bench.run();
  CHECK(f.done == Times{200ns, 400ns});
  REQUIRE(ledger.entries().size() == 1);
  CHECK(ledger.entries()[0] == Ledger::Entry{f.host.name(), 400ns, 200ns, Stage::proxy_work});
  REQUIRE(f.host.served().size() == 3);
  CHECK(f.host.served()[1].who == "host.proxy1");
  CHECK(f.host.served()[1].stats->busy == 200ns);
  CHECK(f.host.served()[2].stats->busy == 400ns);
}

TEST_CASE("core: a poll notices a line half a loop after it came; what is there costs nothing") {
  for (const Cycles loop : {0_cycles, 1000_cycles}) {
    Fixture f;
    f.bench.kernel.start("p", poll(f, loop, 1us));
    f.script.at(3us, [&] { f.host.cells().write(0x40, std::uint64_t{1}, 3us); });
    f.bench.run();
    CHECK(f.done == Times{3us + 50ns + (loop / 2_GHz) / 2});
    Fixture g;
    g.host.cells().write(0x40, std::uint64_t{1}, 0ns);
    g.bench.kernel.start("p", poll(g, loop, 1us));
    g.bench.run();
    CHECK(g.done == Times{1us});
  }
}

TEST_CASE("core: content that isn't wanted doesn't end a poll; what never comes leaves it stuck") {
  Fixture f;
  f.bench.kernel.start("host.proxy0", poll(f, 0_cycles, 0ns));
  f.script.at(1us, [&] { f.host.cells().write(0x40, Cqe{}, 1us); });
  CHECK(f.bench.run() == Kernel::Ended::stuck);
  CHECK(f.bench.kernel.waiting() == std::vector<std::string>{"host.proxy0 waits for a request"});
}

TEST_CASE("core: a store to own memory is there at once, one elsewhere is a write") {
  Fixture f;
  f.bench.run();
  f.core.store(0x80, 8_B, std::uint64_t{3}, nullptr, Stage::response_write);
  REQUIRE(f.core.peek(0x80));
  CHECK(std::get<std::uint64_t>(*f.core.peek(0x80)) == 3);
  CHECK(f.dma.writes.empty());
  f.core.store(Address{1} << 30, 64_B, std::uint64_t{4}, nullptr, Stage::doorbell_flight);
  REQUIRE(f.dma.writes.size() == 1);
  CHECK(f.dma.writes[0].length == 64_B);
  CHECK(f.dma.writes[0].stage == Stage::doorbell_flight);
  CHECK(f.host.stats().mmio_stores == 1);
}

TEST_CASE("host: reads take the DRAM's latency and share its bandwidth") {
  Fixture f;
  f.bench.run();
  Transfer transfer;
  CHECK(f.host.target->on_read(transfer, 64_B, 0ns) == 64_ps + 100ns);
  CHECK(f.host.target->on_read(transfer, 64_B, 0ns) == 128_ps + 100ns);
  transfer.address = 0x100;
  transfer.length = 8_B;
  transfer.content = std::uint64_t{9};
  f.host.target->on_write(transfer, 5ns);
  CHECK(f.core.peek(0x100) == nullptr);  // now is 0
  CHECK(f.host.cells().read(0x100, 5ns).content != nullptr);
}

}  // namespace
}  // namespace gicsim::host
