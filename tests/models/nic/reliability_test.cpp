// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/models/nic/fixture.h"

namespace gicsim::nic {
namespace {

std::vector<std::uint32_t> psns(const Fixture& f) {
  std::vector<std::uint32_t> all;
  for (const auto& noted : f.wire.all) all.push_back(noted.packet.psn);
  return all;
}
using Psns = std::vector<std::uint32_t>;

NicParams impatient() {
  NicParams params = Fixture::defaults();
  params.ack_timeout = 2;  // 16.384 us
  params.retries = 2;
  return params;
}

std::vector<CqeStatus> statuses(const Fixture& f) {
  std::vector<CqeStatus> all;
  for (const auto& write : f.dma.writes)
    if (const auto* cqe = std::get_if<Cqe>(&write.content)) all.push_back(cqe->status);
  return all;
}

TEST_CASE("reliability: a NAK acknowledges what is before it and brings back the rest, payload read again") {
  Fixture f;
  const auto qpn = f.make();
  f.write(f.wqe(qpn, 0));
  f.write(f.wqe(qpn, 1, 9000_B, false));
  f.write(f.wqe(qpn, 2));
  f.ring(qpn, 3);
  f.script.at(5us, [&] { f.nak(2); });
  f.script.at(9us, [&] { f.ack(4); });
  f.bench.run();
  CHECK(psns(f) == Psns{0, 1, 2, 3, 4, 2, 3, 4});
  CHECK_FALSE(f.wire.all[5].packet.first);
  CHECK(f.wire.all[5].packet.address == 0x9000 + 4096);
  CHECK(f.wire.all[5].at == 5us + 170ns + 600ns + 300ns);
  CHECK(f.nic.stats().payload_reads == 5);
  CHECK(f.nic.stats().resent == 3);
  CHECK(f.nic.stats().cqes == 3);
  f.nic.check_books();
}

TEST_CASE("reliability: a NAK of what was acknowledged meanwhile is void") {
  Fixture f;
  const auto qpn = f.make();
  f.write_all(qpn, 2);
  f.ring(qpn, 2);
  f.script.at(5us, [&] { f.ack(1); });
  f.script.at(6us, [&] { f.nak(1); });
  f.bench.run();
  CHECK(f.wire.all.size() == 2);
  f.nic.check_books();
}

TEST_CASE("reliability: the timer runs 4.096 us x 2^n from the packet that asks for an ACK, and from each progress") {
  Fixture f(impatient());
  const auto qpn = f.make();
  f.write_all(qpn, 2);
  f.ring(qpn, 2);
  f.script.at(10us, [&] { f.ack(0); });
  f.script.at(50us, [&] { f.ack(1); });
  f.bench.run();
  const Picoseconds first = 10us + 170ns + 16'384ns;
  CHECK(f.wire.times() == Times{sent_at, sent_at + 2ns, first + 300ns, first + 300ns + 16'384ns + 300ns});
  CHECK(f.nic.stats().timeouts == 2);
  CHECK(f.nic.stats().cqes == 2);
  f.nic.check_books();
}

TEST_CASE("reliability: a timer that was stopped leaves no trace") {
  const auto ended = [](Count exponent) {
    NicParams params = Fixture::defaults();
    params.ack_timeout = exponent;
    Fixture f(params);
    f.acknowledges = 1us;
    const auto qpn = f.make();
    f.write_all(qpn, 10);
    for (std::uint32_t i = 0; i < 10; ++i) f.ring(qpn, i + 1, 5us * i);
    CHECK(f.bench.run() == Kernel::Ended::idle);
    f.nic.check_books();
    return std::pair(f.bench.now(), f.bench.kernel.events());
  };
  CHECK(ended(14) == ended(0));
}

TEST_CASE("reliability: retries used up, the WQE fails, all behind it are flushed, and those to come") {
  Fixture f(impatient());
  const auto qpn = f.make();
  f.write_all(qpn, 4);
  f.ring(qpn, 3);
  f.ring(qpn, 4, 100us);
  CHECK(f.bench.run() == Kernel::Ended::idle);
  CHECK(f.wire.all.size() == 3 * 3);
  CHECK(statuses(f) == std::vector<CqeStatus>{CqeStatus::retry_exceeded, CqeStatus::flushed, CqeStatus::flushed,
                                              CqeStatus::flushed});
  REQUIRE(f.nic.failures().size() == 1);
  const Failure& failure = f.nic.failures()[0];
  CHECK(failure.index == 0);
  CHECK(failure.psn == 0);
  CHECK(failure.retries == 2);
  CHECK(failure.at == sent_at + 3 * 16'384ns + 2 * 300ns);
  f.nic.check_books();
}

TEST_CASE("reliability: without a retry the first time-out is the end") {
  NicParams params = impatient();
  params.ack_timeout = 1;
  params.retries = 0;
  Fixture f(params);
  f.acknowledges = 9us;  // nothing is lost: the ACK is late
  f.write(f.wqe(f.make(), 0));
  f.ring(1, 1);
  f.bench.run();
  CHECK(statuses(f) == std::vector<CqeStatus>{CqeStatus::retry_exceeded});
  f.nic.check_books();
}

TEST_CASE("reliability: a late ACK ends what is being sent again, with payload under way") {
  Fixture f(impatient());
  const auto qpn = f.make();
  f.write(f.wqe(qpn, 0, 9000_B, false));
  f.ring(qpn, 1);
  f.script.at(1750ns + 16'384ns + 200ns, [&] { f.ack(2); });  // while payload is read again
  f.bench.run();
  CHECK(f.nic.stats().timeouts == 1);
  CHECK(f.nic.stats().cqes == 1);
  CHECK(f.wire.all.size() == 3);
  f.nic.check_books();
}

TEST_CASE("reliability: a response that is missing is asked for again, once, from there on") {
  Fixture f;
  const auto qpn = f.make();
  f.write(f.read(qpn, 0, 20'000_B));
  f.ring(qpn, 1);
  f.script.at(3us, [&] { f.respond(PacketKind::read_response, 0, 4_KiB); });
  f.script.at(4us, [&] { f.respond(PacketKind::read_response, 2, 4_KiB); });
  f.script.at(5us, [&] { f.respond(PacketKind::read_response, 3, 4_KiB); });
  for (std::uint32_t psn = 1; psn < 5; ++psn)
    f.script.at(8us + psn * 1us, [&f, psn] { f.respond(PacketKind::read_response, psn, psn < 4 ? 4_KiB : 3616_B); });
  f.bench.run();
  REQUIRE(f.wire.all.size() == 2);
  CHECK(f.wire.all[1].at == 4us + 300ns + 300ns);
  CHECK(f.wire.all[1].packet.psn == 1);
  CHECK(f.wire.all[1].packet.address == 0x9000 + 4096);
  CHECK(f.wire.all[1].packet.length == 20'000_B - 4_KiB);
  CHECK(f.nic.stats().out_of_sequence == 2);
  CHECK(f.nic.stats().payload_received == 20'000_B);
  CHECK(f.nic.stats().cqes == 1);
  f.nic.check_books();
}

TEST_CASE("reliability: an ACK beyond a READ says that its answer got lost; it doesn't overtake answers before it") {
  for (const bool lost : {false, true}) {
    Fixture f;
    const auto qpn = f.make();
    f.write(f.read(qpn, 0, 8_B));
    f.write(f.wqe(qpn, 1));
    f.ring(qpn, 2);
    f.script.at(4us, [&] {
      if (!lost) f.respond(PacketKind::read_response, 0, 8_B);
      f.ack(1);  // handled in 170 ns, the response in 300 ns
    });
    f.script.at(8us, [&] {
      if (lost) f.respond(PacketKind::read_response, 0, 8_B), f.ack(1);
    });
    f.bench.run();
    CHECK(f.wire.all.size() == (lost ? 4 : 2));
    CHECK(f.nic.stats().cqes == 2);
    f.nic.check_books();
  }
}

TEST_CASE("reliability: a READ that comes again is executed from where it asks, and what went on is broken off") {
  NicParams params = Fixture::defaults();
  params.transmit_buffer = 8_KiB;
  Fixture f(params);
  const Wqe read = f.read(f.make(), 0, 40'960_B);
  f.request(read, 0, 0ns);
  f.request(read, 1, 1500ns, 4_KiB);
  f.bench.run();
  CHECK(psns(f) == Psns{0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(f.wire.all[2].packet.first);
  CHECK(f.nic.stats().duplicates == 1);
  f.nic.check_books();
}

TEST_CASE("reliability: a long message leaves others their turn at the read engine") {
  Fixture f;
  const auto a = f.make(), b = f.make();
  f.write(f.wqe(a, 0, 1_GiB, false));
  f.write(f.wqe(b, 0, 8_B, false));
  f.ring(a, 1);
  f.ring(b, 1, 10us);
  f.bench.run_through(20us);
  const auto of_b = std::find_if(f.wire.all.begin(), f.wire.all.end(),
                                 [](const auto& noted) { return noted.packet.qpn == 2; });
  REQUIRE(of_b != f.wire.all.end());
  CHECK(of_b->at < 10us + 150ns + 600ns + 100ns + 900ns + 900ns + 300ns);  // two round trips of the buffer at most
  CHECK(f.wire.all.size() > 300);
}

}  // namespace
}  // namespace gicsim::nic
