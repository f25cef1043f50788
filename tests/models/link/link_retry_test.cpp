// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// At 200 Gb/s a byte takes 40 ps and a cell of 128 B 5.12 ns; one way is 15 + 67 + 10 ns. So a packet is acknowledged
// 189.12 ns after its last bit, and sent again 37 cells, 189.44 ns, after it.
#include <doctest/doctest.h>

#include <vector>

#include "models/link/wire.h"
#include "tests/support/bench.h"
#include "tests/support/packets.h"
#include "tests/support/script.h"

namespace gicsim::link {
namespace {

using Times = std::vector<Picoseconds>;

struct Fixture {
  WireParams params{.rate = 200_Gbps, .flight = 15ns, .fec = 67ns};
  Errors errors;
  Bench bench;
  Probe<PacketSent> sent;
  Wire& wire;
  PacketLog log{bench.kernel};
  Script script{bench.kernel};
  explicit Fixture(const RetryParams& retry)
      : wire(bench.add_named<Wire>("wire", params, Kernel::Lane{1}, sent)) {
    errors.retry = retry;
    wire.disturb(errors, 1);
    wire.out.bind(log);
  }
  void send(Bytes length, Picoseconds at = 0ns, LedgerRef ledger = {}) {
    script.at(at, [=, this] { wire.in->send({.payload = length, .wire = length, .ledger = ledger}, bench.now()); });
  }
};

TEST_CASE("link retry: a damaged packet comes once more, all behind it wait, and nothing is lost") {
  Fixture f({.on = true});
  f.wire.script({PacketClass::any, 1});
  Ledger first, second;
  first.start(0ns), second.start(0ns);
  f.send(1000_B, 0ns, &first);
  f.send(1000_B, 0ns, &second);
  f.bench.run();
  CHECK(f.log.times() == Times{40ns + 189'440_ps + 40ns + 92ns, 40ns + 189'440_ps + 80ns + 92ns});
  CHECK(f.wire.stats().lost == 0);
  CHECK(f.wire.stats().packets == 2);
  CHECK(f.wire.stats().busy == 120ns);
  REQUIRE(f.wire.retries());
  CHECK(f.wire.retries()->retries == 1);
  CHECK(f.wire.retries()->resent == 1000_B);
  CHECK(f.wire.retries()->time == 189'440_ps + 40ns);
  REQUIRE(first.entries().size() == 3);
  CHECK(first.entries()[0].time == 40ns);
  CHECK(first.entries()[1].stage == Stage::retransmit);
  CHECK(std::string(first.entries()[1].at) == "wire.retry");
  CHECK(first.entries()[1].time == 229'440_ps);
  CHECK(first.entries()[2].time == 92ns);
  REQUIRE(second.entries().size() == 3);
  CHECK(second.entries()[0].time == 80ns);
  CHECK(second.entries()[0].waiting == 40ns);
  CHECK(second.entries()[1].time == 229'440_ps);
  f.wire.check_books();
}

TEST_CASE("link retry: a packet that comes during one waits for its rest alone") {
  Fixture f({.on = true});
  f.wire.script({PacketClass::any, 1});
  Ledger late;
  late.start(200ns);
  f.send(1000_B);
  f.send(1000_B, 200ns, &late);
  f.bench.run();
  REQUIRE(late.entries().size() == 3);
  CHECK(late.entries()[0].time == 40ns);
  CHECK(late.entries()[1].time == 69'440_ps);
}

TEST_CASE("link retry: a full buffer stops the sender until the oldest is acknowledged") {
  Fixture f({.on = true, .buffer = 8_KiB});
  for (int i = 0; i < 4; ++i) f.send(4_KiB);
  f.bench.run();
  const Picoseconds packet = 4_KiB / 200_Gbps, round_trip = 189'120_ps;
  CHECK(f.log.times() == Times{packet + 92ns, 2 * packet + 92ns, 2 * packet + round_trip + 92ns,
                               3 * packet + round_trip + 92ns});
  CHECK(f.wire.retries()->buffer_peak == 8_KiB);
  CHECK(f.wire.retries()->buffer_wait == round_trip - packet);
}

TEST_CASE("link retry: it gives up, the link retrains, and one packet is lost") {
  Fixture f({.on = true, .retries = 1});
  f.wire.script({PacketClass::any, 1});
  f.wire.script({PacketClass::any, 2});
  f.send(1000_B);
  f.send(1000_B);
  f.bench.run();
  CHECK(f.log.times() == Times{40ns + 189'440_ps + 40ns + 100us + 40ns + 92ns});
  CHECK(f.wire.stats().lost == 1);
  CHECK(f.wire.retries()->given_up == 1);
  CHECK(f.wire.retries()->recovery == 100us);
  f.wire.check_books();
}

TEST_CASE("outage: what is under way is lost, what comes meanwhile thrown away, what comes after passes") {
  Fixture f({.on = false});
  f.wire.script(Outage{100ns, 200ns});
  for (const Picoseconds at : {0ns, 150ns, 199ns, 200ns}) f.send(1000_B, at);
  f.send(100_B, 300ns);
  f.bench.run();
  CHECK(f.log.times() == Times{239ns + 40ns + 82ns, 386ns});
  CHECK(f.wire.stats().lost == 3);
  CHECK(f.wire.outages().discarded == 2);
  CHECK(f.wire.outages().discarded_wire == 2000_B);
  f.wire.check_books();
}

TEST_CASE("outage: a cable that is down before a packet is whole at the far end has lost it, a picosecond earlier it hasn't") {
  for (const Picoseconds from : {122'000_ps, 122'001_ps}) {
    Fixture f({.on = false});
    f.wire.script(Outage{from, 1us});
    f.send(1000_B);
    f.bench.run();
    CHECK(f.log.all.size() == (from > 122ns ? 1 : 0));
  }
}

}  // namespace
}  // namespace gicsim::link
