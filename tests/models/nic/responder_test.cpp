// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/models/nic/fixture.h"

namespace gicsim::nic {
namespace {

TEST_CASE("responder: the data go to memory, the ACK back, each after its own time") {
  Fixture f;
  const Wqe wqe = f.wqe(f.make(), 0);
  f.receive(wqe, 0, 1us);
  f.bench.run();
  REQUIRE(f.dma.writes.size() == 1);
  CHECK(f.dma.writes[0].at == 1us + 300ns);
  CHECK(f.dma.writes[0].stage == Stage::remote_write);
  CHECK(f.dma.writes[0].address == 0x9000);
  CHECK(f.dma.writes[0].length == 8_B);
  CHECK(std::get<std::uint64_t>(f.dma.writes[0].content) == 1);
  REQUIRE(f.wire.all.size() == 1);
  CHECK(f.wire.all[0].at == 1us + 300ns + 150ns);
  CHECK(f.wire.all[0].packet.kind == PacketKind::ack);
  CHECK(f.wire.all[0].packet.wire == 26_B + 4_B);
  CHECK(f.wire.all[0].packet.psn == 0);
}

TEST_CASE("responder: what is due before an ACK's turn goes with it") {
  Fixture f;
  const Wqe wqe = f.wqe(f.make(), 0);
  f.receive(wqe, 0, 0ns);    // received at 300, its ACK's turn comes at 450
  f.receive(wqe, 1, 100ns);  // received at 400
  f.receive(wqe, 2, 200ns);  // received at 500
  f.bench.run();
  REQUIRE(f.wire.all.size() == 2);
  CHECK(f.wire.times() == Times{450ns, 650ns});
  CHECK(f.wire.all[0].packet.psn == 1);
  CHECK(f.wire.all[1].packet.psn == 2);
  CHECK(f.nic.stats().acks_sent == 2);
  CHECK(f.nic.stats().packets_received == 3);
}

TEST_CASE("responder: ACKs of several queue pairs leave the gap between them") {
  Fixture f;
  const Wqe a = f.wqe(f.make(), 0), b = f.wqe(f.make(), 0);
  f.receive(a, 0, 0ns);
  f.receive(b, 0, 0ns);
  f.bench.run();
  CHECK(f.wire.times() == Times{450ns, 300ns + 2ns + 150ns});
  CHECK(f.wire.all[1].packet.qpn == 2);
}

TEST_CASE("responder: packets wait for the pipeline in front of them") {
  NicParams params = Fixture::defaults();
  params.rx_gap = 20ns;
  Fixture f(params);
  const Wqe wqe = f.wqe(f.make(), 0);
  for (std::uint32_t n = 0; n < 4; ++n) f.receive(wqe, n, 0ns);
  f.bench.run();
  CHECK(Dma::times(f.dma.writes) == Times{300ns, 320ns, 340ns, 360ns});
  CHECK(f.nic.stats().rx_busy == 80ns);
}

TEST_CASE("responder: PSNs go round at 2^24") {
  Fixture f;
  const Wqe wqe = f.wqe(f.make(1024, 0xff'ffff), 0);
  f.receive(wqe, 0xff'ffff, 0ns);
  f.receive(wqe, 0, 1us);
  f.bench.run();
  REQUIRE(f.wire.all.size() == 2);
  CHECK(f.wire.all[0].packet.psn == 0xff'ffff);
  CHECK(f.wire.all[1].packet.psn == 0);
}

TEST_CASE("responder: a gap is NAKed once, with the PSN that is missing, and what is behind it discarded") {
  Fixture f;
  const Wqe wqe = f.wqe(f.make(), 0);
  f.receive(wqe, 1, 0ns);
  f.receive(wqe, 2, 1us);
  f.receive(wqe, 0, 2us);
  f.receive(wqe, 2, 3us);  // 1 is missing: the next gap
  f.bench.run();
  REQUIRE(f.wire.all.size() == 3);
  CHECK(f.wire.times() == Times{450ns, 2450ns, 3450ns});
  CHECK(f.wire.all[0].packet.kind == PacketKind::nak);
  CHECK(f.wire.all[0].packet.syndrome == Syndrome::sequence_nak);
  CHECK(f.wire.all[0].packet.psn == 0);
  CHECK(f.wire.all[0].packet.wire == 26_B + 4_B);
  CHECK(f.wire.all[1].packet.kind == PacketKind::ack);
  CHECK(f.wire.all[2].packet.psn == 1);
  CHECK(f.dma.writes.size() == 1);
  CHECK(f.nic.stats().out_of_sequence == 3);
  CHECK(f.nic.stats().payload_discarded == 24_B);
}

TEST_CASE("responder: what comes again is acknowledged again and not written again") {
  Fixture f;
  const Wqe wqe = f.wqe(f.make(), 0);
  f.receive(wqe, 0, 0ns);
  f.receive(wqe, 0, 1us);
  f.bench.run();
  CHECK(f.wire.times() == Times{450ns, 1450ns});
  CHECK(f.wire.all[1].packet.psn == 0);
  CHECK(f.dma.writes.size() == 1);
  CHECK(f.nic.stats().duplicates == 1);
}

}  // namespace
}  // namespace gicsim::nic
