// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "models/base/errors.h"
#include "tests/models/nic/fixture.h"

namespace gicsim::nic {
namespace {

TEST_CASE("requester: a packet's headers, and its completion after the acknowledgement") {
  Fixture f;
  const auto qpn = f.make();
  f.write(f.wqe(qpn, 0));
  f.ring(qpn, 1);
  f.script.at(3us, [&] { f.ack(0); });
  f.bench.run();
  REQUIRE(f.wire.all.size() == 1);
  const Packet& packet = f.wire.all[0].packet;
  CHECK(packet.first);
  CHECK(packet.last);
  CHECK(packet.ack_request);
  CHECK(packet.from == 4);
  CHECK(packet.to == 9);
  CHECK(packet.psn == 0);
  CHECK(packet.payload == 8_B);
  CHECK(packet.wire == 8_B + 26_B + 16_B);
  CHECK(packet.address == 0x9000);
  REQUIRE(f.dma.writes.size() == 1);
  CHECK(f.dma.writes[0].stage == Stage::cqe_write);
  CHECK(f.dma.writes[0].at == 3us + 170ns + 170ns);
  CHECK(f.dma.writes[0].address == Fixture::completion_of(qpn));
  CHECK(f.dma.writes[0].length == 64_B);
  CHECK(std::get<Cqe>(f.dma.writes[0].content).index == 0);
  f.nic.check_books();
}

TEST_CASE("requester: a message is cut at the MTU; its first packet alone carries the RETH") {
  Fixture f;
  const auto qpn = f.make();
  f.write(f.wqe(qpn, 0, 9000_B, false));
  f.ring(qpn, 1);
  f.bench.run();
  REQUIRE(f.wire.all.size() == 3);
  const auto& p = f.wire.all;
  CHECK(p[0].packet.wire == 4096_B + 42_B);
  CHECK(p[1].packet.wire == 4096_B + 26_B);
  CHECK(p[2].packet.wire == 808_B + 26_B);
  CHECK(p[2].packet.address == 0x9000 + 8192);
  CHECK_FALSE(p[1].packet.ack_request);
  CHECK(p[2].packet.ack_request);
  CHECK(p[2].packet.psn == 2);
}

TEST_CASE("requester: payload is read a packet at a time, into room that packets sent have left") {
  NicParams params = Fixture::defaults();
  params.transmit_buffer = 8_KiB;
  params.tx_gap = 0ns;
  Fixture f(params);
  const auto qpn = f.make();
  f.write(f.wqe(qpn, 0, 18'000_B, false));
  f.ring(qpn, 1);
  f.bench.run();
  constexpr Picoseconds first = 150ns + 600ns + 100ns;
  const auto times = Dma::times(f.dma.reads);
  CHECK(times == Times{150ns, first, first, first + 900ns, first + 900ns, first + 1800ns});
  CHECK(f.dma.reads[3].address == 0x5000 + 8192);
  CHECK(f.dma.reads[5].length == 1616_B);
  CHECK(f.wire.times() == Times{first + 900ns, first + 900ns, first + 1800ns, first + 1800ns, first + 2700ns});
  CHECK(f.nic.stats().payload_reads == 5);
}

TEST_CASE("requester: the decoder and the packetiser each bound the rate") {
  NicParams params = Fixture::defaults();
  params.qp_window = 64;
  params.decode_gap = 7ns;
  params.tx_gap = 3ns;
  Fixture f(params);
  const auto qpn = f.make();
  f.write_all(qpn, 10);
  f.ring(qpn, 10);
  f.bench.run();
  for (int n = 0; n < 10; ++n) CHECK(f.wire.all[static_cast<std::size_t>(n)].at == 1150ns + n * 7ns);
  params.tx_gap = 11ns;
  Fixture g(params);
  g.write_all(g.make(), 10);
  g.ring(1, 10);
  g.bench.run();
  for (int n = 0; n < 10; ++n) CHECK(g.wire.all[static_cast<std::size_t>(n)].at == 1150ns + n * 11ns);
}

TEST_CASE("requester: one ACK completes all up to its PSN, and only WQEs that ask get a CQE") {
  Fixture f;
  const auto qpn = f.make();
  for (std::uint32_t i = 0; i < 4; ++i) {
    Wqe wqe = f.wqe(qpn, i);
    wqe.signaled = i % 2 == 1;
    f.write(wqe);
  }
  f.ring(qpn, 4);
  f.script.at(5us, [&] { f.ack(2); });
  f.bench.run();
  CHECK(f.dma.writes.size() == 1);
  std::vector<std::string> lines;
  f.nic.unfinished(lines);
  CHECK(lines == std::vector<std::string>{"nic.qp1: 1 WQEs unacknowledged"});
  CHECK_THROWS_AS(f.nic.check_books(), ModelError);
  f.script.at(6us, [&] { f.ack(3); });
  f.bench.run();
  CHECK(f.dma.writes.size() == 2);
  CHECK(std::get<Cqe>(f.dma.writes[1].content).index == 3);
  f.nic.check_books();
}

TEST_CASE("requester: PSNs go round at 2^24, and an ACK means the same on either side of it") {
  CHECK(psn_reached(5, 5));
  CHECK(psn_reached(4, 5));
  CHECK_FALSE(psn_reached(6, 5));
  CHECK(psn_reached(0xff'ffff, 0));
  CHECK_FALSE(psn_reached(0, 0xff'ffff));
  CHECK(psn_reached(0, 0x7f'ffff));
  CHECK_FALSE(psn_reached(0, 0x80'0000));
  Fixture f;
  const auto qpn = f.make(1024, 0xff'fffe);
  f.write_all(qpn, 4);
  f.ring(qpn, 4);
  f.script.at(5us, [&] { f.ack(0); });
  f.bench.run();
  REQUIRE(f.wire.all.size() == 4);
  CHECK(f.wire.all[1].packet.psn == 0xff'ffff);
  CHECK(f.wire.all[2].packet.psn == 0);
  CHECK(f.wire.all[3].packet.psn == 1);
  CHECK(f.dma.writes.size() == 3);
}

TEST_CASE("requester: a ring is used over and over") {
  Fixture f;
  f.acknowledges = 1us;
  const auto qpn = f.make(2);
  for (std::uint32_t i = 0; i < 100; ++i) {
    f.script.at(5us * i, [&f, qpn, i] { f.write(f.wqe(qpn, i), f.bench.now()); });
    f.ring(qpn, i + 1, 5us * i);
  }
  f.bench.run();
  CHECK(f.nic.stats().cqes == 100);
  CHECK(f.nic.stats().stale == 0);
  CHECK(f.dma.pool.out() == 0);
  f.nic.check_books();
}

}  // namespace
}  // namespace gicsim::nic
