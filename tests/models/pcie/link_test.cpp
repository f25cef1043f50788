// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/link.h"

#include <doctest/doctest.h>

#include <vector>

#include "models/base/errors.h"
#include "models/base/random.h"
#include "tests/support/bench.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"

namespace gicsim::pcie {
namespace {

using Times = std::vector<Picoseconds>;

/// One direction of a link between a script and a log. Gen1 x16 carries a byte in 250 ps exactly.
struct Fixture {
  LinkParams params;
  Bench bench;
  Probe<TlpSent> sent;
  Link* link;
  TlpLog log{bench.kernel};
  Script script{bench.kernel};
  std::deque<Transfer> transfers;

  explicit Fixture(const LinkParams& p)
      : params(p), link(&bench.add_named<Link>("link", params, Kernel::Lane{1}, sent)) {
    link->out.bind(log);
  }
  Tlp tlp(TlpKind kind, Bytes length) {
    return {.kind = kind, .last = true, .length = length, .transfer = &transfers.emplace_back()};
  }
  void send(TlpKind kind, Bytes length, Picoseconds at = 0ns) {
    script.at(at, [this, kind, length] { link->in->send(tlp(kind, length), bench.now()); });
  }
};

LinkParams exact(Count headers = 128, Bytes data = 32_KiB, Count reads = 128) {
  return {.generation = 1, .lanes = 16, .posted_headers = headers, .posted_data = data, .non_posted_headers = reads};
}

TEST_CASE("pcie rate: every generation and width, after line coding") {
  const auto at = [](Count generation, Count lanes) {
    return rate({.generation = generation, .lanes = lanes}).bits_per_second();
  };
  CHECK(at(1, 1) == 2'000'000'000);
  CHECK(at(1, 16) == 32'000'000'000);
  CHECK(at(2, 4) == 16'000'000'000);
  CHECK(at(3, 1) == 7'876'923'076);
  CHECK(at(3, 8) == 63'015'384'615);
  CHECK(at(4, 2) == 31'507'692'307);
  CHECK(at(4, 16) == 252'061'538'461);
  CHECK(at(5, 8) == 252'061'538'461);
  CHECK(at(5, 16) == 504'123'076'923);
}

TEST_CASE("pcie link: a 256 B write on Gen5 x16 lands 4.444 ns and the latency later, not sooner") {
  Fixture f({.generation = 5, .lanes = 16});
  f.send(TlpKind::write, 256_B);
  f.bench.run_through(76'444_ps - 1_ps);
  CHECK(f.log.all.empty());
  f.bench.run_through(76'444_ps);
  CHECK(f.log.all.size() == 1);
  CHECK(f.link->stats().wire == 280_B);
  CHECK(f.link->stats().payload == 256_B);
}

TEST_CASE("pcie link: header and framing bytes by kind") {
  Fixture f(exact());
  f.send(TlpKind::write, 8_B);         // 32 B: 8 ns
  f.send(TlpKind::read, 4_KiB);        // 24 B: 6 ns, whatever it asks for
  f.send(TlpKind::completion, 64_B);   // 84 B: 21 ns
  f.bench.run();
  CHECK(f.log.times() == Times{80ns, 86ns, 107ns});
  CHECK(f.link->stats().payload == 72_B);
  CHECK(f.link->stats().busy == 35ns);
  f.link->check_books();
}

TEST_CASE("pcie link: back to back, a thousand writes end where their bytes say, to the picosecond") {
  Fixture f({.generation = 5, .lanes = 16, .latency = 72ns, .posted_headers = 4096, .posted_data = 16_MiB});
  for (int i = 0; i < 1000; ++i) f.send(TlpKind::write, 256_B);
  f.bench.run();
  CHECK(f.log.all.back().at == 1000 * 280_B / rate(f.params) + 72ns);
  CHECK(f.log.all.back().at != 1000 * (280_B / rate(f.params)) + 72ns);  // rounded a TLP at a time
}

TEST_CASE("pcie link: posted headers delay exactly as the closed form") {
  constexpr Picoseconds s = 8ns, round_trip = 8ns + 72ns + 72ns;  // wire, there, credit back
  for (const Count headers : {128, 32, 16, 8, 4, 2, 1}) {
    Fixture f(exact(headers));
    for (int n = 0; n < 100; ++n) f.send(TlpKind::write, 8_B);
    f.bench.run();
    for (Count n = 0; n < 100; ++n) {
      const Picoseconds start =
          headers * s >= round_trip ? n * s : n / headers * round_trip + n % headers * s;
      REQUIRE(f.log.all[static_cast<std::size_t>(n)].at == start + s + 72ns);
    }
    CHECK((f.link->stats().credit_wait > 0ns) == (headers * s < round_trip));
    f.link->check_books();
  }
}

TEST_CASE("pcie link: posted data delay the same way, in units of 16 B") {
  constexpr Picoseconds s = 70ns, round_trip = 70ns + 72ns + 72ns;
  for (const Count room : {4, 3, 2, 1}) {
    Fixture f(exact(128, 256_B * room + 15_B));  // 15 B are no unit
    for (int n = 0; n < 50; ++n) f.send(TlpKind::write, 256_B);
    f.bench.run();
    for (Count n = 0; n < 50; ++n) {
      const Picoseconds start = room * s >= round_trip ? n * s : n / room * round_trip + n % room * s;
      REQUIRE(f.log.all[static_cast<std::size_t>(n)].at == start + s + 72ns);
    }
  }
}

TEST_CASE("pcie link: a read waits for a non-posted header, writes and completions pass it") {
  Fixture f(exact(128, 32_KiB, 1));
  f.send(TlpKind::read, 64_B);        // 0 .. 6
  f.send(TlpKind::read, 64_B);        // blocked until 6 + 72 + 72
  f.send(TlpKind::write, 8_B);        // 6 .. 14
  f.send(TlpKind::completion, 64_B);  // 14 .. 35
  f.bench.run();
  CHECK(f.log.times() == Times{78ns, 86ns, 107ns, 228ns});
  CHECK(f.log.all[1].tlp.kind == TlpKind::write);
  CHECK(f.log.all[2].tlp.kind == TlpKind::completion);
  CHECK(f.link->stats().credit_wait == 150ns - 35ns);
}

TEST_CASE("pcie link: nothing passes a posted write, and what waited behind it goes on") {
  for (const TlpKind behind : {TlpKind::read, TlpKind::completion}) {
    Fixture f(exact(1));
    f.send(TlpKind::write, 8_B);  // 0 .. 8, its credit is back at 152
    f.send(TlpKind::write, 8_B);  // 152 .. 160
    f.send(behind, 4_B);          // 160 .. 166
    f.bench.run();
    CHECK(f.log.times() == Times{80ns, 232ns, 238ns});
    CHECK(f.log.all.back().tlp.kind == behind);
    f.link->check_books();
  }
}

TEST_CASE("pcie link: a receiver that keeps a TLP keeps its credits") {
  Fixture f(exact(2));
  f.log.keep = true;
  for (int n = 0; n < 3; ++n) f.send(TlpKind::write, 8_B);
  f.bench.run();
  CHECK(f.log.all.size() == 2);
  CHECK_THROWS_AS(f.link->check_books(), ModelError);
  f.script.at(1us, [&] { f.log.all[0].tlp.held->release(f.log.all[0].tlp, f.bench.now()); });
  f.bench.run();
  CHECK(f.log.times() == Times{80ns, 88ns, 1us + 72ns + 8ns + 72ns});
}

/// A link of two directions; `back` carries the Acks of what the fixture's sends.
struct BothWays : Fixture {
  Link* back;
  TlpLog returned{bench.kernel};

  BothWays() : Fixture(exact()), back(&bench.add_named<Link>("back", params, Kernel::Lane{2}, sent)) {
    back->out.bind(returned);
    link->acknowledged_by(*back);
  }
  void reply(TlpKind kind, Bytes length, Picoseconds at) {
    script.at(at, [this, kind, length] { back->in->send(tlp(kind, length), bench.now()); });
  }
};

TEST_CASE("pcie link: an Ack takes 8 B of the other direction's lanes, which an idle one doesn't feel") {
  for (const auto& [asks, starts] : {std::pair{143ns, 144ns}, std::pair{144ns, 144ns}, std::pair{150ns, 150ns}}) {
    BothWays f;
    f.send(TlpKind::write, 256_B);                // 70 ns: there at 142 ns, its Ack until 144 ns
    f.reply(TlpKind::completion, 64_B, asks);     // 21 ns
    f.bench.run();
    CHECK(f.returned.times() == Times{starts + 21ns + 72ns});
    CHECK(f.back->stats().acks == 1);
    CHECK(f.back->stats().wire == 84_B);
    CHECK(f.back->stats().busy == 23ns);
    CHECK(f.link->stats().acks == 0);
    f.back->check_books();
  }
}

TEST_CASE("pcie link: one Ack for what comes during a TLP of the other direction, another for what comes later") {
  BothWays f;
  f.reply(TlpKind::completion, 380_B, 0ns);                  // until 100 ns
  f.reply(TlpKind::completion, 380_B, 1ns);                  // until 200 ns
  for (int i = 0; i < 4; ++i) f.send(TlpKind::write, 8_B);   // there at 80, 88, 96 ns, and 104 ns
  f.reply(TlpKind::completion, 64_B, 150ns);
  f.bench.run();
  CHECK(f.returned.times() == Times{172ns, 272ns, 204ns + 21ns + 72ns});
  CHECK(f.back->stats().acks == 2);
}

TEST_CASE("pcie link: whatever the traffic, all of it arrives, in order within its kind") {
  RandomStream random(11, "pcie link");
  for (int round = 0; round < 40; ++round) {
    Fixture f(exact(1 + static_cast<Count>(random.below(4)), 16_B * (4 + static_cast<Count>(random.below(40))),
                    1 + static_cast<Count>(random.below(3))));
    Picoseconds now{};
    std::vector<std::pair<TlpKind, Bytes>> given;
    for (int n = 0; n < 200; ++n) {
      now += Picoseconds{static_cast<std::int64_t>(random.below(40'000))};
      given.push_back({static_cast<TlpKind>(random.below(3)), Bytes(1 + static_cast<std::int64_t>(random.below(64)))});
      f.send(given.back().first, given.back().second, now);
    }
    f.bench.run();
    REQUIRE(f.log.all.size() == given.size());
    for (const TlpKind kind : {TlpKind::write, TlpKind::read, TlpKind::completion}) {
      std::vector<Bytes> sent, came;
      for (const auto& [k, length] : given)
        if (k == kind) sent.push_back(length);
      for (const auto& arrival : f.log.all)
        if (arrival.tlp.kind == kind) came.push_back(arrival.tlp.length);
      REQUIRE(sent == came);
    }
    REQUIRE(f.link->stats().busy <= f.bench.now());
    f.link->check_books();
  }
}

}  // namespace
}  // namespace gicsim::pcie
