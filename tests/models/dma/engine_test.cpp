// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/dma/engine.h"

#include <doctest/doctest.h>

#include "models/dma/stream.h"
#include "tests/support/bench.h"
#include "tests/support/dma.h"
#include "tests/support/script.h"

namespace gicsim::dma {
namespace {

/// 8 B a nanosecond: a burst of 64 B takes 8 ns.
constexpr DmaParams plain{.issue = 50ns, .fetch = 30ns, .rate = 64_Gbps, .memory_rate = 640_Gbps, .burst = 64_B,
                          .read_interval = 10ns,
                          .write_interval = 20ns, .outstanding = 4};

struct Fixture : Client {
  Bench bench;
  DmaParams params;
  Dma memory;
  Engine& engine;
  std::vector<Picoseconds> ends;

  explicit Fixture(const DmaParams& p = plain, Picoseconds round_trip = 500ns)
      : params(p), memory(bench.kernel, round_trip), engine(bench.add_named<Engine>("dma0", params)) {
    engine.port.bind(memory);
  }
  void on_done(Job&) override { ends.push_back(bench.now()); }
  void submit(Kind kind, Bytes length, bool visible = false) {
    engine.submit({.kind = kind, .visible = visible, .length = length, .client = this});
  }
};

Task run(Engine& engine, Kind kind, Ledger& ledger, Picoseconds& end) {
  ledger.start(engine.kernel().now());
  if (kind == Kind::read) co_await engine.read(0, 64_B, &ledger);
  if (kind == Kind::write) co_await engine.write(0, 64_B, &ledger);
  if (kind == Kind::write_read) co_await engine.write_then_read(0, 64_B, &ledger);
  end = engine.kernel().now();
}

TEST_CASE("dma: one access takes issue, the way there and back, and the path to own memory") {
  const auto takes = [](Kind kind) {
    Fixture f;
    Ledger ledger;
    Picoseconds end{};
    f.bench.kernel.start("program", run(f.engine, kind, ledger, end));
    f.bench.run();
    f.engine.check_books();
    CHECK(ledger.total() == end);
    return end;
  };
  CHECK(takes(Kind::read) == 50ns + 500ns + 8ns);
  CHECK(takes(Kind::write) == 50ns + 30ns + 8ns);  // posted: done at the port
  CHECK(takes(Kind::write_read) == 50ns + 30ns + 8ns + 500ns + 8ns);
}

TEST_CASE("dma: a rest of a burst takes as long as a burst") {
  for (const auto& [length, bursts] : {std::pair{1_B, 1}, {64_B, 1}, {65_B, 2}, {512_B, 8}}) {
    Fixture f;
    f.submit(Kind::read, length);
    f.bench.run();
    CHECK(f.ends == std::vector<Picoseconds>{550ns + bursts * Picoseconds(8ns)});
  }
}

TEST_CASE("dma: reads and writes share own memory, not the paths to it") {
  DmaParams params = plain;
  params.memory_rate = 64_Gbps;  // a burst takes it 8 ns, as it takes a path
  params.fetch = 500ns;          // a write's data are asked for when a read's arrive
  params.setup = 2ns;
  Fixture f(params);
  f.submit(Kind::write, 64_B, true);
  f.submit(Kind::read, 64_B);
  f.bench.run();
  CHECK(f.memory.writes[0].at == 560ns);  // path: 2 + 8
  CHECK(f.ends.front() == 566ns);         // the read's: memory from 558 to 566, path done at 560
}

TEST_CASE("dma: descriptors start an interval apart, reads and writes by themselves") {
  Fixture f;
  for (int i = 0; i < 3; ++i) f.submit(Kind::read, 8_B), f.submit(Kind::write, 8_B);
  f.bench.run();
  CHECK(Dma::times(f.memory.reads) == std::vector<Picoseconds>{50ns, 60ns, 70ns});
  CHECK(Dma::times(f.memory.writes) == std::vector<Picoseconds>{88ns, 108ns, 128ns});
}

TEST_CASE("dma: no more than `outstanding` reads are under way, each until it is stored") {
  DmaParams params = plain;
  params.outstanding = 2;
  Fixture f(params);
  for (int i = 0; i < 4; ++i) f.submit(Kind::read, 8_B);
  f.bench.run();
  CHECK(Dma::times(f.memory.reads) == std::vector<Picoseconds>{50ns, 60ns, 558ns, 568ns});
  CHECK(f.engine.stats().read_time == 4 * Picoseconds(508ns));
}

TEST_CASE("dma: a write that counts when it is visible ends at its target") {
  Fixture f;
  f.submit(Kind::write, 64_B, true);
  f.bench.run();
  CHECK(f.ends == std::vector<Picoseconds>{88ns + 250ns});
}

TEST_CASE("dma: the read of a write-then-read follows the write at once, whatever is queued") {
  Fixture f;
  f.submit(Kind::write, 64_B);
  f.submit(Kind::write_read, 64_B);
  f.bench.run();
  CHECK(Dma::times(f.memory.writes) == std::vector<Picoseconds>{88ns, 108ns});
  CHECK(Dma::times(f.memory.reads) == std::vector<Picoseconds>{108ns});
}

TEST_CASE("dma: addresses go round a window by lines, or anywhere in it") {
  using Order = Addresses::Order;
  Addresses round(4096, 256_B, 65_B, Order::sequential, 1, "x");
  CHECK(round.places() == 2);
  CHECK(round.next() == 4096);
  CHECK(round.next() == 4096 + 128);
  CHECK(round.next() == 4096);
  Addresses anywhere(0, 64_KiB, 64_B, Order::random, 1, "x"), again(0, 64_KiB, 64_B, Order::random, 1, "x");
  std::vector<Count> hits(1024);
  for (int i = 0; i < 10'240; ++i) {
    const Address at = anywhere.next();
    REQUIRE(at == again.next());
    REQUIRE(at % 64 == 0);
    REQUIRE(at < 65'536);
    ++hits[at / 64];
  }
  CHECK(*std::max_element(hits.begin(), hits.end()) < 40);
}

TEST_CASE("dma: a stream keeps its depth until it is stopped, then what is under way ends") {
  Fixture f;
  Stream stream(f.engine, Kind::read, 64_B, Addresses(0, 4_KiB, 64_B, Addresses::Order::sequential, 1, "s"), 2);
  Script script(f.bench.kernel);
  script.at(0ns, [&] { stream.start(); });
  script.at(2000ns, [&] {
    CHECK_FALSE(stream.idle());
    stream.stop();
  });
  f.bench.run();
  CHECK(stream.idle());
  CHECK(stream.done() == 8);  // two a round of 558 ns
  CHECK(f.memory.reads.size() == 8);
  f.engine.check_books();
}

}  // namespace
}  // namespace gicsim::dma
