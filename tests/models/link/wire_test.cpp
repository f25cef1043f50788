// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/wire.h"

#include <doctest/doctest.h>

#include <vector>

#include "models/base/errors.h"
#include "models/link/switch.h"
#include "tests/support/bench.h"
#include "tests/support/packets.h"
#include "tests/support/script.h"

namespace gicsim::link {
namespace {

using Times = std::vector<Picoseconds>;

struct Fixture {
  WireParams params;
  Bench bench;
  Probe<PacketSent> sent;
  Wire& wire;
  PacketLog log{bench.kernel};
  Script script{bench.kernel};
  explicit Fixture(BitRate rate)
      : params{.rate = rate, .flight = 15ns, .fec = 67ns},
        wire(bench.add_named<Wire>("wire", params, Kernel::Lane{1}, sent)) {
    wire.out.bind(log);
  }
  void send(Bytes wire_bytes, Picoseconds at = 0ns) {
    script.at(at, [this, wire_bytes] { wire.in->send({.payload = wire_bytes, .wire = wire_bytes}, bench.now()); });
  }
};

TEST_CASE("wire: a 4 KiB packet lands after 81.92 ns, FEC and flight, not a picosecond sooner") {
  Fixture f(400_Gbps);
  f.send(4_KiB);
  f.bench.run_through(163'920_ps - 1_ps);
  CHECK(f.log.all.empty());
  f.bench.run_through(163'920_ps);
  CHECK(f.log.all.size() == 1);
}

TEST_CASE("wire: a long stream keeps its remainder") {
  Fixture f(BitRate::bits_per_second(106'250'000'000));  // 75.294.. ps a byte
  for (int i = 0; i < 10'000; ++i) f.send(30_B);
  f.bench.run();
  CHECK(f.log.all.back().at == 300'000_B / f.params.rate + 82ns);
  CHECK(f.log.all.back().at < 10'000 * (30_B / f.params.rate) + 82ns);
  CHECK(f.wire.stats().wire == 300'000_B);
  f.wire.check_books();
}

TEST_CASE("wire: a packet waits for the one before, an idle wire for nobody") {
  Fixture f(200_Gbps);  // 40 ps a byte
  f.send(1000_B);        // 0 .. 40 ns
  f.send(1000_B, 10ns);  // 40 .. 80
  f.send(1000_B, 90ns);
  f.bench.run();
  CHECK(f.log.times() == Times{122ns, 162ns, 212ns});
  CHECK(f.wire.stats().busy == 120ns);
}

TEST_CASE("wire: the ledger is told the last bit and the arrival apart, and who waited") {
  Fixture f(200_Gbps);
  Ledger ledger;
  ledger.start(0ns);
  f.script.at(0ns, [&] {
    f.wire.in->send({.wire = 500_B}, 0ns);
    f.wire.in->send({.wire = 1000_B, .ledger = &ledger}, 0ns);
  });
  f.bench.run();
  REQUIRE(ledger.entries().size() == 2);
  CHECK(ledger.entries()[0] == Ledger::Entry{f.wire.name(), 60ns, 20ns, Stage::serialise});
  CHECK(ledger.entries()[1] == Ledger::Entry{f.wire.name(), 82ns, 0ns, Stage::propagate});
}

TEST_CASE("wire: header bytes of both link layers") {
  CHECK(overhead(Protocol::infiniband).base == 26_B);
  CHECK(overhead(Protocol::rocev2).base == 82_B);
  CHECK(overhead(Protocol::infiniband).reth == 16_B);
  CHECK(overhead(Protocol::rocev2).aeth == 4_B);
}

TEST_CASE("fabric switch: routes by destination, each packet after the same time") {
  SwitchParams params{.latency = 130ns};
  Bench bench;
  Switch& at = bench.add_named<Switch>("switch", params, 2);
  PacketTray ports[2] = {PacketTray(bench.kernel), PacketTray(bench.kernel)};
  at.out[0].bind(ports[0]);
  at.out[1].bind(ports[1]);
  at.route(4, 1);
  at.route(7, 0);
  Script script(bench.kernel);
  script.at(0ns, [&] { at.in->arrive({.to = 4}); });
  script.at(1ns, [&] { at.in->arrive({.to = 7}); });
  script.at(1ns, [&] { at.in->arrive({.to = 4}); });
  bench.run();
  CHECK(ports[1].times() == Times{130ns, 131ns});
  CHECK(ports[0].times() == Times{131ns});
  CHECK(at.stats().packets == 3);
  CHECK_THROWS_WITH_AS(at.in->arrive({.to = 5}), "switch @ 131 ns: no route to port 5", ModelError);
  CHECK_THROWS_AS(at.in->arrive({.to = 8}), ModelError);
}

TEST_CASE("wire: paused, it ends the packet under way, and goes on where it was") {
  Fixture f(200_Gbps);                             // 40 ps a byte
  for (int i = 0; i < 4; ++i) f.send(1000_B);      // 0, 40, 80, 120 .. 160 ns
  f.script.at(0ns, [&] { f.wire.in->pause(true); });  // comes back over 82 ns of cable
  f.script.at(200ns, [&] { f.wire.in->pause(false); });
  f.send(1000_B, 210ns);
  f.bench.run();
  CHECK(f.log.times() == Times{122ns, 162ns, 202ns, 404ns, 444ns});
  CHECK(f.wire.stats().pauses == 1);
  CHECK(f.wire.stats().paused == 200ns);
  CHECK(f.wire.stats().packets == 5);
  CHECK(f.wire.stats().busy == 200ns);
  f.wire.check_books();
}

TEST_CASE("wire: what it is given while paused, its sender hears of when it leaves") {
  struct Source : PacketSource {
    Times left;
    void on_sent(const Packet&, Picoseconds at) override { left.push_back(at); }
  } source;
  Fixture f(200_Gbps);
  f.wire.in->sent_by(source);
  Times said;
  f.script.at(0ns, [&] { f.wire.in->pause(true); });
  for (const Picoseconds at : {81ns, 100ns, 300ns})
    f.script.at(at, [&] { said.push_back(f.wire.in->send({.payload = 1000_B, .wire = 1000_B}, f.bench.now())); });
  f.script.at(150ns, [&] { f.wire.in->pause(false); });
  f.bench.run();
  CHECK(said == Times{121ns, Picoseconds::max(), 340ns});
  CHECK(source.left == Times{272ns});
  CHECK(f.log.times() == Times{203ns, 354ns, 422ns});
}

}  // namespace
}  // namespace gicsim::link
