// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/core.h"

#include <doctest/doctest.h>

#include <cstdlib>
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
  co_await f.core.poll(
      0x40, loop, [](const Content& c) { return std::holds_alternative<std::uint64_t>(c); }, "a request");
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

TEST_CASE("core: a line in a device's window is polled by reads over the links") {
  const Address window = Address{1} << 30;
  const auto poll_window = [](Fixture& f) -> Task {
    co_await f.core.poll(Address{1} << 30, 1000_cycles,
                         [](const Content& c) { return std::holds_alternative<std::uint64_t>(c); }, "a flag");
    f.note();
  };
  Fixture f;
  f.core.window_cells(f.dma.cells);
  f.bench.kernel.start("p", poll_window(f));
  f.script.at(20us, [&] { f.dma.cells.write(window, std::uint64_t{1}, 20us); });
  f.bench.run();
  CHECK(f.done == Times{20us + (1us + 500ns) / 2 + 500ns + 250ns});  // half a turn, half a round trip; 500 ns a loop
  CHECK(f.dma.reads.size() == 1);
  CHECK(f.host.stats().mmio_loads == 1);
  Fixture there;
  there.core.window_cells(there.dma.cells);
  there.dma.cells.write(window, std::uint64_t{1}, 0ns);
  there.bench.kernel.start("p", poll_window(there));
  there.bench.run();
  CHECK(there.done == Times{1us + 500ns});
}

TEST_CASE("core: copies go at the core's rate and keep it busy") {
  Fixture f;
  const auto copy = [](Fixture& g) -> Task {
    co_await g.core.copy(10'500_B, nullptr, Stage::call);  // at 84 Gbps
    g.note();
  };
  f.bench.kernel.start("p", copy(f));
  f.bench.kernel.start("q", work(f, 400_cycles, 0));
  f.bench.run();
  CHECK(f.done == Times{1us, 1200ns});
  CHECK(f.host.stats().copied == 10'500_B);
  CHECK(f.host.stats().cores == 1);
}

/// Polls that notice a line 1 us after the start, each with a core of its own.
Times noticed(const Spread& spread, int n, Count* away = nullptr) {
  Times all;
  for (int i = 0; i < n; ++i) {
    Fixture f;
    f.host.vary({spread.params, spread.seed + static_cast<std::uint64_t>(i)});
    Core core(f.host, "host.proxy1");
    f.bench.kernel.start("p", [](Fixture& fixture, Core& own) -> Task {
      const auto is_there = [](const Content& c) { return std::holds_alternative<std::uint64_t>(c); };
      co_await own.poll(0x40, 1000_cycles, is_there, "it");
      fixture.note();
    }(f, core));
    f.script.at(1us, [&] { f.host.cells().write(0x40, std::uint64_t{1}, 1us); });
    f.bench.run();
    all.push_back(f.done.front());
    if (away) *away += f.host.stats().away;
  }
  return all;
}

TEST_CASE("core: with spread a line is noticed anywhere in a turn of the loop") {
  Spread spread;
  spread.params.poll_phase = true;
  const Times all = noticed(spread, 400);
  Picoseconds sum{};
  for (const Picoseconds at : all) {
    CHECK(at >= 1050ns);
    CHECK(at <= 1550ns);
    sum += at;
  }
  CHECK(std::chrono::abs(sum / 400 - 1300ns) < 29ns);  // four deviations: 500 / sqrt(12 x 400) x 4
}

TEST_CASE("core: one that is away comes back after an exponential time, and its share of wake-ups is as asked") {
  Spread spread;
  spread.params.cpu_scheduling = true;
  spread.params.cpu_away_every = 4;
  spread.params.cpu_away = 10us;
  Count away = 0;
  const Times all = noticed(spread, 800, &away);
  Picoseconds late{};
  Count kept = 0;
  for (const Picoseconds at : all) {
    CHECK(at >= 1300ns);
    if (at == 1300ns) ++kept;
    late += at - 1300ns;
  }
  CHECK(kept == 800 - away);
  CHECK(std::abs(away - 200) < 49);  // four deviations of a binomial
  CHECK(std::chrono::abs(late / away - 10us) < 3us);
  spread.params.cpu_away_every = 1'000'000'000;
  CHECK(noticed(spread, 20) == Times(20, 1300ns));
}

TEST_CASE("core: while it is away its other programs don't work") {
  Fixture f;
  Spread spread;
  spread.params.cpu_scheduling = true;
  spread.params.cpu_away_every = 1;
  f.host.vary(spread);
  Core core(f.host, "host.proxy1");
  f.bench.kernel.start("p", [](Fixture& fixture, Core& own) -> Task {
    co_await own.poll(0x40, 0_cycles, [](const Content& c) { return std::holds_alternative<std::uint64_t>(c); }, "it");
    fixture.note();
  }(f, core));
  f.bench.kernel.start("q", [](Fixture& fixture, Core& own) -> Task {
    co_await fixture.bench.kernel.sleep(1051ns);
    co_await own.work(200_cycles, 0, nullptr, Stage::proxy_work);
    fixture.note();
  }(f, core));
  f.script.at(1us, [&] { f.host.cells().write(0x40, std::uint64_t{1}, 1us); });
  f.bench.run();
  REQUIRE(f.done.size() == 2);
  CHECK(f.done[0] > 1060ns);
  CHECK(f.done[1] == f.done[0] + 100ns);
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
