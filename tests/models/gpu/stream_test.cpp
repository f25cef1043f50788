// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/stream.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/bench.h"
#include "tests/support/dma.h"
#include "tests/support/script.h"

namespace gicsim::gpu {
namespace {

constexpr Address own = Address{1} << 42, host = 0, window = Address{1} << 42, nic = Address{1} << 47;
using Times = std::vector<Picoseconds>;

const GpuParams& with_rates(GpuParams& params) {
  params.store_port = 1_cycles;
  params.memory_rate = 8000_Gbps;
  return params;
}

struct Fixture {
  GpuParams params;
  FrontEndParams front_end{.fetches = 2,
                           .kernel_start = 400ns,
                           .kernel_end = 900ns,
                           .write = 60ns,
                           .write_flush = 1800ns,
                           .wait_period = 2us};
  Bench bench;
  Dma dma{bench.kernel, 1us};
  Gpu& gpu{bench.add_named<Gpu>("gpu", with_rates(params), own, window)};
  Stream stream{bench.kernel, gpu, front_end, 0, host, window, dma.cells};
  Script script{bench.kernel};
  Times done;

  Fixture() { gpu.port.bind(dma); }
  void ring(Picoseconds t, std::uint64_t commands) {
    script.at(t, [this, t, commands] { gpu.cells().write(stream.doorbell(), commands, t); });
  }
  Times run(Task program) {
    bench.kernel.start("stream", std::move(program));
    bench.run();
    return done;
  }
  void note() { done.push_back(bench.now()); }
};

bool is(const Content& c, std::uint64_t wanted) {
  const auto* value = std::get_if<std::uint64_t>(&c);
  return value && *value >= wanted;
}

Task commands(Fixture& f, std::uint64_t count) {
  for (std::uint64_t i = 1; i <= count; ++i) {
    co_await f.stream.command(i);
    f.note();
  }
}

Task kernel(Fixture& f) {
  co_await f.stream.command(1);
  co_await f.stream.kernel_start();
  f.note();
  co_await f.stream.kernel_end(Stage::sync);
  f.note();
}

Task writes(Fixture& f, Address to) {
  co_await f.stream.write(host, 4_B, std::uint64_t{1}, Stage::doorbell_issue, Stage::doorbell_issue);
  f.note();
  co_await f.stream.write(to, 8_B, std::uint64_t{2}, Stage::doorbell_issue, Stage::doorbell_flight);
  f.note();
}

Task wait(Fixture& f, Address at) {
  co_await f.stream.wait(at, [](const Content& c) { return is(c, 1); }, Stage::poll, "a value");
  f.note();
}

TEST_CASE("stream: rung commands are fetched by reads one after another, those rung meanwhile by the next ones") {
  Fixture f;
  f.ring(1us, 1);
  f.ring(1500ns, 3);
  CHECK(f.run(commands(f, 3)) == Times{3us, 5us, 5us});
  CHECK(Dma::times(f.dma.reads) == Times{1us, 2us, 3us, 4us});
  CHECK(f.dma.reads[0].length == 64_B);
}

TEST_CASE("stream: what was fetched before the program asks costs nothing then") {
  Fixture f;
  f.ring(0ns, 2);
  f.script.at(9us, [&] { f.bench.kernel.start("late", commands(f, 2)); });
  f.bench.run();
  CHECK(f.done == Times{9us, 9us});
}

TEST_CASE("stream: a kernel starts and ends at its cost") {
  Fixture f;
  f.ring(0ns, 1);
  CHECK(f.run(kernel(f)) == Times{2us + 400ns, 2us + 400ns + 900ns});
}

TEST_CASE("stream: a write waits for the one before to get through, and leaves as one posted write") {
  Fixture f;
  CHECK(f.run(writes(f, nic)) == Times{60ns, 60ns + 1800ns + 60ns});
  REQUIRE(f.dma.writes.size() == 2);
  CHECK(f.dma.writes[1].address == nic);
  CHECK(f.dma.writes[1].at == 1920ns);
  CHECK(f.dma.writes[1].stage == Stage::doorbell_flight);
}

TEST_CASE("stream: a write to own memory is there at once") {
  Fixture f;
  f.run(writes(f, own));
  CHECK(f.dma.writes.size() == 1);
  CHECK(f.gpu.cells().read(own, 1920ns).content != nullptr);
}

TEST_CASE("stream: a wait looks by reads of host memory; what comes later is seen half a turn and half a way after") {
  Fixture there;
  there.dma.cells.write(host, std::uint64_t{1}, 0ns);
  CHECK(there.run(wait(there, host)) == Times{1us});
  Fixture later;
  later.script.at(20us, [&] { later.dma.cells.write(host, std::uint64_t{1}, 20us); });
  later.run(wait(later, host));
  REQUIRE(later.done.size() == 1);
  CHECK(later.done[0] == 20us + 1500ns + 500ns);
  CHECK(later.dma.reads.size() == 1);
}

TEST_CASE("stream: a wait on own memory has no way to go") {
  Fixture f;
  f.script.at(20us, [&] { f.gpu.cells().write(own, std::uint64_t{1}, 20us); });
  CHECK(f.run(wait(f, own)) == Times{21us});
  CHECK(f.dma.reads.empty());
}

TEST_CASE("stream: what never comes leaves its program stuck, and says for what") {
  Fixture f;
  f.bench.kernel.start("stream", commands(f, 1));
  CHECK(f.bench.run() == Kernel::Ended::stuck);
  CHECK(f.bench.kernel.waiting() == std::vector<std::string>{"stream waits for command 1"});
}

}  // namespace
}  // namespace gicsim::gpu
