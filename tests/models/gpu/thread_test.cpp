// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/thread.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "tests/support/bench.h"
#include "tests/support/dma.h"
#include "tests/support/script.h"

namespace gicsim::gpu {
namespace {

constexpr Address own = 0x100'0000, host = 0, peer = 0x1000'0000;
constexpr Address window = 0x100'0000;

/// One GPU at 1 GHz, so that a cycle is a nanosecond; a program; a memory system 1 us away.
struct Fixture {
  GpuParams params{.clock = 1_GHz,
                   .store_issue = 60_cycles,
                   .wqe_build = 15_cycles,
                   .store_ack = 0_cycles,
                   .store_ack_gap = 200_cycles,
                   .store_ack_most = 100'000_cycles,
                   .line_fetch = 0_cycles,
                   .inline_load = 0_cycles,
                   .store_port = 1_cycles,
                   .atomic = 300_cycles,
                   .fence_gpu = 265ns,
                   .fence_after_poll = 0ns,
                   .fence_gpu_sc = 796ns,
                   .fence_system = 534ns,
                   .fence_system_sc = 1534ns,
                   .host_write_ack = 900ns,
                   .peer_write_ack = 1300ns,
                   .l2_load = 280_cycles,
                   .poll_loop = 40_cycles,
                   .read_latency = 110ns,
                   .memory_rate = 8000_Gbps};
  Bench bench;
  Dma dma{bench.kernel, 1us};
  Gpu& gpu;
  Script script{bench.kernel};
  std::deque<Thread> threads;
  std::vector<Picoseconds> done;

  explicit Fixture(std::function<void(GpuParams&)> change = {})
      : gpu((change ? change(params) : void(), bench.add_named<Gpu>("gpu", params, own, window))) {
    gpu.port.bind(dma);
  }
  Thread& thread(Residence residence = {}) {
    Thread& made =
        threads.emplace_back(bench.kernel, gpu, "gpu.thread" + std::to_string(threads.size()), host, window, residence);
    made.host_cells(dma.cells);
    return made;
  }
  template <class Program, class... Args>
  std::vector<Picoseconds> run(Program program, Args&&... args) {
    bench.kernel.start("gpu.thread", program(*this, thread(), std::forward<Args>(args)...));
    bench.run();
    return done;
  }
  void note() { done.push_back(bench.now()); }
};
using Times = std::vector<Picoseconds>;

Task store(Fixture& f, Thread& t, Address to, Bytes length) {
  co_await t.store(to, length, {}, Stage::build_wqe);
  f.note();
}

Task store_and_fence(Fixture& f, Thread& t, Address to, Bytes length, Semantics semantics, Scope scope) {
  co_await t.store(to, length, {}, Stage::build_wqe);
  f.note();
  co_await t.fence(semantics, scope);
  f.note();
}

Task fence_alone(Fixture& f, Thread& t, Semantics semantics, Scope scope) {
  co_await f.bench.kernel.sleep(10us);
  co_await t.fence(semantics, scope);
  f.note();
}

Task poll(Fixture& f, Thread& t, Address at, std::uint64_t wanted, Picoseconds begin) {
  co_await f.bench.kernel.sleep(begin);
  co_await t.poll(
      at,
      [wanted](const Content& c) {
        const auto* value = std::get_if<std::uint64_t>(&c);
        return value && *value >= wanted;
      },
      Stage::poll, "a flag");
  f.note();
}

TEST_CASE("gpu: a store takes its issue a piece of 16 B") {
  for (const auto& [length, time] : {std::pair{4_B, 60ns}, {16_B, 60ns}, {17_B, 120ns}, {48_B, 180ns}, {64_B, 240ns}}) {
    Fixture f;
    CHECK(f.run(store, own, length) == Times{time});
    CHECK(f.dma.writes.empty());
  }
}

TEST_CASE("gpu: a store elsewhere leaves as one write when it has been issued") {
  Fixture f;
  f.run(store, peer, 64_B);
  REQUIRE(f.dma.writes.size() == 1);
  CHECK(f.dma.writes[0].at == 240ns);
  CHECK(f.dma.writes[0].length == 64_B);
  CHECK(f.dma.writes[0].stage == Stage::doorbell_flight);
}

Task push(Fixture& f, Thread& t, Bytes length, bool warp) {
  co_await t.push(peer, length, Wqe{.qpn = 7}, warp);
  f.note();
}

TEST_CASE("gpu: a pushed WQE leaves a TLP a store: 16 B of a thread, 64 B of a warp") {
  using Lengths = std::vector<Bytes>;
  const auto pushed = [](Bytes length, bool warp, bool combines) {
    Fixture f([combines](GpuParams& p) { p.combines_stores = combines; });
    const Times done = f.run(push, length, warp);
    Lengths lengths;
    int tell = 0;
    for (const Dma::Access& write : f.dma.writes) {
      CHECK(write.at == done.front());
      if (write.content.index() != 0) {
        ++tell;
        CHECK(write.address == peer);
      }
      lengths.push_back(write.length);
    }
    CHECK(tell == 1);
    CHECK(done == Times{warp ? 60ns * (length / 64_B) : 60ns * (length / 16_B)});
    return lengths;
  };
  CHECK(pushed(64_B, false, false) == Lengths(4, 16_B));
  CHECK(pushed(64_B, false, true) == Lengths{64_B});
  CHECK(pushed(64_B, true, false) == Lengths{64_B});
  CHECK(pushed(128_B, true, false) == Lengths(2, 64_B));
}

TEST_CASE("gpu: its window answers reads of others no faster than it can") {
  for (const auto& [rate, each] : {std::pair<BitRate, Picoseconds>{8_Gbps, 4096ns}, {16'000_Gbps, 4096_ps}}) {
    Fixture f([limit = rate](GpuParams& p) { p.bar_read_rate = limit; });
    f.bench.run();
    Transfer read;
    CHECK(f.gpu.target->on_read(read, 4_KiB, 0ns) == each + 110ns);
    CHECK(f.gpu.target->on_read(read, 4_KiB, 0ns) == 2 * each + 110ns);
  }
}

Task fenced_store(Fixture& f, Thread& t, Address address = own) {
  co_await t.store(address, 16_B, {}, Stage::build_wqe);
  co_await t.fence(Semantics::acquire_release, Scope::gpu);
  f.note();
}

TEST_CASE("gpu: threads of an SM share its store port, which holds up acknowledgements and not issue") {
  const auto slow = [](GpuParams& p) { p.store_port = 400_cycles; };
  Fixture f(slow);
  f.bench.kernel.start("a", fenced_store(f, f.thread({0, 0})));
  f.bench.kernel.start("b", fenced_store(f, f.thread({0, 1})));
  f.bench.run();
  CHECK(f.done == Times{60ns + 265ns, 400ns});  // acknowledged at 60 and 400; a fence by itself is over at 325
  CHECK(f.gpu.stats().port_busy == 800ns);
  Fixture apart(slow);
  apart.bench.kernel.start("a", fenced_store(apart, apart.thread({0, 0})));
  apart.bench.kernel.start("b", fenced_store(apart, apart.thread({1, 1})));
  apart.bench.run();
  CHECK(apart.done == Times{325ns, 325ns});
}

TEST_CASE("gpu: lanes of a warp that stored together leave their fence together") {
  Fixture f([](GpuParams& p) { p.store_port = 400_cycles; });
  f.bench.kernel.start("a", fenced_store(f, f.thread({0, 0})));
  f.bench.kernel.start("b", fenced_store(f, f.thread({0, 0})));
  f.bench.kernel.start("late", [](Fixture& fx, Thread& t) -> Task {
    co_await fx.bench.kernel.sleep(1us);
    co_await fenced_store(fx, t);
  }(f, f.thread({0, 0})));
  f.bench.run();
  CHECK(f.done == Times{400ns, 400ns, 1us + 325ns});
}

TEST_CASE("gpu: the first fence after a poll of a device's line costs more, no other does") {
  Fixture f([](GpuParams& p) { p.fence_after_poll = 141ns; });
  const auto program = [](Fixture& fx, Thread& t) -> Task {
    const auto set = [](const Content& c) { return std::get_if<std::uint64_t>(&c) != nullptr; };
    co_await t.poll(own, set, Stage::poll, "a flag");
    fx.note();
    co_await t.fence(Semantics::acquire_release, Scope::gpu);
    fx.note();
    co_await t.fence(Semantics::acquire_release, Scope::gpu);
    fx.note();
    co_await t.store(own + 64, 8_B, std::uint64_t{1}, Stage::build_wqe);
    co_await t.poll(own + 64, set, Stage::poll, "its own word");
    fx.note();
    co_await t.fence(Semantics::acquire_release, Scope::gpu);
    fx.note();
  };
  Transfer write;
  write.address = own, write.length = 8_B, write.content = std::uint64_t{1};
  f.gpu.target->on_write(write, 0ns);
  f.run(program);
  REQUIRE(f.done.size() == 5);
  CHECK(f.done[1] - f.done[0] == 265ns + 141ns);
  CHECK(f.done[2] - f.done[1] == 265ns);
  CHECK(f.done[4] - f.done[3] == 265ns);
}

TEST_CASE("gpu: at system scope the first fence after such a poll has a cost of its own") {
  Fixture f([](GpuParams& p) { p.fence_after_poll = 141ns, p.fence_system_after_poll = 1470ns; });
  const auto program = [](Fixture& fx, Thread& t) -> Task {
    const auto set = [](const Content& c) { return std::get_if<std::uint64_t>(&c) != nullptr; };
    co_await t.poll(own, set, Stage::poll, "a flag");
    fx.note();
    co_await t.fence(Semantics::acquire_release, Scope::system);
    fx.note();
    co_await t.fence(Semantics::acquire_release, Scope::system);
    fx.note();
  };
  Transfer write;
  write.address = own, write.length = 8_B, write.content = std::uint64_t{1};
  f.gpu.target->on_write(write, 0ns);
  f.run(program);
  REQUIRE(f.done.size() == 3);
  CHECK(f.done[1] - f.done[0] == 534ns + 1470ns);
  CHECK(f.done[2] - f.done[1] == 534ns);
}

TEST_CASE("gpu: an atomic acts half-way: of two at once, the later one sees the earlier") {
  Fixture f([](GpuParams& p) { p.atomic = 300_cycles; });
  std::uint64_t word = 5;
  std::vector<std::uint64_t> seen;
  const auto add = [](Fixture& fx, Thread& t, std::uint64_t& at, std::vector<std::uint64_t>& before) -> Task {
    before.push_back(co_await t.fetch_add(at, 10, Stage::call));
    fx.note();
  };
  f.bench.kernel.start("a", add(f, f.thread(), word, seen));
  f.bench.kernel.start("b", add(f, f.thread(), word, seen));
  f.bench.run_through(149ns);
  CHECK(word == 5);
  f.bench.run_through(150ns);
  CHECK(word == 25);
  f.bench.run();
  CHECK(seen == std::vector<std::uint64_t>{5, 15});
  CHECK(f.done == Times{300ns, 300ns});
}

TEST_CASE("gpu: a store of the very first instant is acknowledged with its issue, like any other") {
  for (const Picoseconds begin : {0ns, 10'000ns}) {
    Fixture f;
    f.run([](Fixture& fx, Thread& t, Picoseconds at) -> Task {
      co_await fx.bench.kernel.sleep(at);
      co_await t.store(own, 16_B, {}, Stage::build_wqe);
      co_await t.fence(Semantics::acquire_release, Scope::gpu);
      fx.note();
    }, begin);
    CHECK(f.done == Times{begin + 60ns + 265ns});
  }
}

TEST_CASE("gpu: a fence lasts its base, or until what is outstanding where it reaches is acknowledged") {
  using enum Semantics;
  using enum Scope;
  struct Case {
    Semantics semantics;
    Scope scope;
    Picoseconds base;
  };
  for (const Case& c : {Case{acquire_release, Scope::gpu, 265ns}, Case{sequentially_consistent, Scope::gpu, 796ns},
                        Case{acquire_release, system, 534ns}, Case{sequentially_consistent, system, 1534ns}}) {
    CHECK(Fixture().run(fence_alone, c.semantics, c.scope) == Times{10us + c.base});
    // 64 B: issued at 240, acknowledged at 60 + 3 x 200
    CHECK(Fixture().run(store_and_fence, own, 64_B, c.semantics, c.scope) ==
          Times{240ns, std::max<Picoseconds>(660ns, 240ns + c.base)});
    const bool far = c.scope == system;
    // 16 B: issued and acknowledged at 60; to host memory done at 960, to a peer at 1360
    CHECK(Fixture().run(store_and_fence, host, 16_B, c.semantics, c.scope) ==
          Times{60ns, std::max<Picoseconds>(far ? 960ns : 60ns, 60ns + c.base)});
    CHECK(Fixture().run(store_and_fence, peer, 16_B, c.semantics, c.scope) ==
          Times{60ns, std::max<Picoseconds>(far ? 1360ns : 60ns, 60ns + c.base)});
  }
}

TEST_CASE("gpu: acknowledgements don't hold up the thread until too many are outstanding") {
  const auto end = [](Count limit) {
    return Fixture([limit](GpuParams& p) { p.stores_outstanding = limit; }).run(store, own, 64_B).front();
  };
  CHECK(end(256) == 240ns);
  CHECK(end(4) == 240ns);
  CHECK(end(3) == 240ns);  // the fourth is due at 180, when one has come back
  CHECK(end(2) == 260ns + 60ns);
  CHECK(end(1) == 460ns + 60ns);
}

TEST_CASE("gpu: gaps between acknowledgements add up to no more than the far side's") {
  const auto change = [](GpuParams& p) {
    p.store_ack = 100_cycles, p.store_ack_gap = 200_cycles, p.store_ack_most = 450_cycles, p.fence_gpu = 20ns;
    p.line_fetch = 100_cycles;
  };
  // Issued at 60, 120, 180, ...; acknowledged at 160, 360, 560, then 450 behind the issue: 690
  CHECK(Fixture(change).run(store_and_fence, own, 48_B, Semantics::acquire_release, Scope::gpu) == Times{180ns, 560ns});
  CHECK(Fixture(change).run(store_and_fence, own, 64_B, Semantics::acquire_release, Scope::gpu) == Times{240ns, 690ns});
}

TEST_CASE("gpu: the first store to a line that a device has read waits for the line") {
  const auto change = [](GpuParams& p) {
    p.store_ack = 37_cycles, p.store_ack_gap = 7_cycles, p.line_fetch = 400_cycles, p.fence_gpu = 20ns;
  };
  // Three pieces in a line nobody has: the first at 60 + 400, the others 7 later each.
  CHECK(Fixture(change).run(store_and_fence, own, 48_B, Semantics::acquire_release, Scope::gpu) ==
        Times{180ns, 400ns + 60ns + 14ns});
  // The same line again, ours by now: 37 after the last issue.
  Fixture again(change);
  again.gpu.cells().claim(own);
  CHECK(again.run(store_and_fence, own, 48_B, Semantics::acquire_release, Scope::gpu) ==
        Times{180ns, 180ns + 37ns});
  // Two lines are fetched side by side: the second, from the fifth piece on, decides.
  CHECK(Fixture(change).run(store_and_fence, own, 128_B, Semantics::acquire_release, Scope::gpu) ==
        Times{480ns, 300ns + 400ns + 21ns});
}

TEST_CASE("gpu: a read by a device takes the line away") {
  Fixture f;
  Cells<Content>& cells = f.gpu.cells();
  CHECK(cells.claim(own));
  CHECK_FALSE(cells.claim(own));
  Transfer read{.kind = Transfer::Kind::read, .address = own, .length = 128_B, .lines = 2};
  f.gpu.target->sample(read, 0ns);
  CHECK(cells.claim(own));
  CHECK(cells.claim(own + 64));
}

Task load(Fixture& f, Thread& t, Address from, std::uint64_t& seen) {
  const Content content = co_await t.load(from, Stage::compute);
  if (const auto* value = std::get_if<std::uint64_t>(&content)) seen = *value;
  f.note();
}

TEST_CASE("gpu: a load hits the L2 at home, and goes over the links elsewhere") {
  std::uint64_t seen = 0;
  Fixture here;
  here.gpu.cells().write(own, std::uint64_t{7}, 280ns);
  CHECK(here.run(load, own, std::ref(seen)) == Times{280ns});
  CHECK(seen == 7);
  CHECK(Fixture().run(load, host, std::ref(seen)) == Times{1us + 280ns});
}

TEST_CASE("gpu: own stores are visible once acknowledged") {
  Fixture f;
  f.run([](Fixture& fx, Thread& t) -> Task {
    co_await fx.bench.kernel.sleep(1us);
    co_await t.store(own + 64, 32_B, std::uint64_t{7}, Stage::build_wqe);
  });
  CHECK(f.gpu.cells().read(own + 64, 1us + 259'999_ps).content == nullptr);
  CHECK(f.gpu.cells().read(own + 64, 1us + 260ns).content != nullptr);
}

TEST_CASE("gpu poll: what is there is seen by the first load") {
  Fixture f;
  f.gpu.cells().write(own, std::uint64_t{1}, 0ns);
  CHECK(f.run(poll, own, 1, 500ns) == Times{500ns + 280ns + 40ns});
}

TEST_CASE("gpu poll: what comes later is seen half a period, half a load and a loop later") {
  Fixture f;
  f.script.at(5us, [&] { f.gpu.cells().write(own, std::uint64_t{1}, 5us); });
  CHECK(f.run(poll, own, 1, 500ns) == Times{5us + (280ns + 40ns) / 2 + 140ns + 40ns});
  Fixture g;  // on its way when the poll begins
  g.gpu.cells().write(own, std::uint64_t{1}, 700ns);
  CHECK(g.run(poll, own, 1, 500ns) == Times{700ns + 340ns});
}

TEST_CASE("gpu poll: with spread the sample falls anywhere in a period, on average in its middle") {
  constexpr int n = 400;
  const Picoseconds first = 5us + 140ns + 40ns, period = 320ns;
  Picoseconds sum{}, low = first + period, high{};
  for (int seed = 1; seed <= n; ++seed) {
    Fixture f;
    Spread spread;
    spread.params.poll_phase = true;
    spread.seed = static_cast<std::uint64_t>(seed);
    f.gpu.vary(spread);
    f.script.at(5us, [&] { f.gpu.cells().write(own, std::uint64_t{1}, 5us); });
    const Picoseconds seen = f.run(poll, own, 1, 500ns).front();
    sum += seen, low = std::min(low, seen), high = std::max(high, seen);
  }
  CHECK(low >= first);
  CHECK(low < first + period / 50);
  CHECK(high <= first + period);
  CHECK(high > first + period * 49 / 50);
  // four deviations: 320 / sqrt(12 n) x 4
  CHECK(std::chrono::abs(sum / n - first - period / 2) < 19ns);
}

TEST_CASE("gpu poll: content that isn't wanted doesn't end it") {
  Fixture f;
  f.gpu.cells().write(own, std::uint64_t{1}, 0ns);
  for (std::uint64_t value = 2; value <= 4; ++value)
    f.script.at(1us * static_cast<std::int64_t>(value),
                [&f, value] { f.gpu.cells().write(own, value, f.bench.now()); });
  CHECK(f.run(poll, own, 4, 0ns) == Times{4us + 340ns});
}

TEST_CASE("gpu poll: in host memory the first load is made, and sets the period") {
  Fixture f;
  f.dma.cells.write(host + 8, std::uint64_t{1}, 0ns);
  CHECK(f.run(poll, host + 8, 1, 500ns) == Times{500ns + 1us + 280ns + 40ns});
  CHECK(f.dma.reads.size() == 1);
  Fixture g;
  g.script.at(9us, [&] { g.dma.cells.write(host + 8, std::uint64_t{1}, 9us); });
  constexpr Picoseconds round_trip = 1us + 280ns;
  CHECK(g.run(poll, host + 8, 1, 500ns) == Times{9us + (round_trip + 40ns) / 2 + round_trip / 2 + 40ns});
  CHECK(g.dma.reads.size() == 1);
}

TEST_CASE("gpu poll: written after the first load looked, before it is back: the next one sees it") {
  Fixture f;  // the load looks at 1000, is back at 1500
  f.script.at(1200ns, [&] { f.dma.cells.write(host, std::uint64_t{1}, 1200ns); });
  f.run(poll, host, 1, 500ns);
  REQUIRE(f.done.size() == 1);
  CHECK(f.done[0] >= 1500ns + 1us);
  CHECK(f.done[0] == 1200ns + 660ns + 640ns + 40ns);
}

TEST_CASE("gpu poll: what never comes leaves the run stuck, and says what for") {
  Fixture f;
  f.bench.kernel.start("gpu.thread0", poll(f, f.thread(), own, 1, 0ns));
  CHECK(f.bench.run() == Kernel::Ended::stuck);
  CHECK(f.bench.kernel.waiting() == std::vector<std::string>{"gpu.thread0 waits for a flag"});
}

TEST_CASE("gpu: the ledger gets each operation's time, drains as waiting") {
  Fixture f;
  Ledger ledger;
  f.run([&ledger](Fixture& fx, Thread& t) -> Task {
    co_await fx.bench.kernel.sleep(1us);
    ledger.start(fx.bench.now());
    t.follow(&ledger);
    co_await t.compute(15_cycles, Stage::api);
    co_await t.store(own, 64_B, {}, Stage::build_wqe);
    co_await t.fence(Semantics::acquire_release, Scope::gpu);
  });
  REQUIRE(ledger.entries().size() == 3);
  CHECK(ledger.entries()[0] == Ledger::Entry{f.gpu.name(), 15ns, 0ns, Stage::api});
  CHECK(ledger.entries()[1] == Ledger::Entry{f.gpu.name(), 240ns, 0ns, Stage::build_wqe});
  CHECK(ledger.entries()[2] == Ledger::Entry{f.gpu.name(), 420ns, 155ns, Stage::fence});
}

TEST_CASE("gpu: a store to a line that a device has read is acknowledged once the line is here") {
  Fixture f([](GpuParams& p) {
    p.store_ack = 100_cycles;
    p.line_fetch = 700_cycles;
    p.store_ack_gap = 0_cycles;
    p.fence_gpu = 20ns;
  });
  f.run([](Fixture& fx, Thread& t) -> Task {
    Transfer read;  // of both lines, by a device
    read.address = own;
    read.lines = 2;
    for (int round = 0; round < 3; ++round) {
      for (const Address line : {own, own + 64}) {
        co_await t.store(line, 16_B, {}, Stage::build_wqe);
        const Picoseconds issued = fx.bench.now();
        co_await t.fence(Semantics::acquire_release, Scope::gpu);
        fx.done.push_back(fx.bench.now() - issued);
      }
      if (round == 1) fx.gpu.target->sample(read, fx.bench.now());
    }
  });
  CHECK(f.done == Times{700ns, 700ns, 100ns, 100ns, 700ns, 700ns});
}

TEST_CASE("gpu: the ledger is told the wait for stores outstanding") {
  Fixture f([](GpuParams& p) {
    p.store_ack = 400_cycles;
    p.stores_outstanding = 1;
  });
  Ledger ledger;
  ledger.start(0ns);
  const auto two = [](Thread& t) -> Task { co_await t.store(own, 32_B, {}, Stage::build_wqe); };
  f.thread().follow(&ledger);
  f.bench.kernel.start("b", two(f.threads.back()));
  f.bench.run();
  REQUIRE(ledger.entries().size() == 1);
  // a line new to the GPU: line_fetch is 0 here, so the first piece is acknowledged at its issue, at 60
  CHECK(ledger.entries()[0] == Ledger::Entry{f.gpu.name(), 120ns, 0ns, Stage::build_wqe});
  ledger.start(f.bench.now());
  f.bench.kernel.start("c", two(f.threads.back()));
  f.bench.run();
  // the second piece of before, at 120, is acknowledged at 520: the first one now goes at 580, the
  // second at its acknowledgement, 980, plus its issue
  CHECK(ledger.entries()[0] == Ledger::Entry{f.gpu.name(), 920ns, 800ns, Stage::build_wqe});
}

TEST_CASE("gpu: reads of others share its memory bandwidth") {
  Fixture f;
  f.bench.run();
  Transfer transfer;
  CHECK(f.gpu.target->on_read(transfer, 4_KiB, 1us) == 1us + 4096_ps + 110ns);
  CHECK(f.gpu.target->on_read(transfer, 4_KiB, 1us) == 1us + 8192_ps + 110ns);
  CHECK(f.gpu.stats().dma_read == 8_KiB);
}

}  // namespace
}  // namespace gicsim::gpu
