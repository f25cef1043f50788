// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// READ, atomics, writes with immediate: one short example of each, both ends.
#include <doctest/doctest.h>

#include "tests/models/nic/fixture.h"

namespace gicsim::nic {
namespace {

TEST_CASE("fetch: a READ asks once; its responses go to memory in order, then the CQE") {
  Fixture f;
  const auto qpn = f.make();
  f.write(f.read(qpn, 0, 9000_B));
  f.ring(qpn, 1);
  f.script.at(3us, [&] { f.respond(PacketKind::read_response, 0, 4_KiB); });
  f.script.at(4us, [&] { f.respond(PacketKind::read_response, 1, 4_KiB); });
  f.script.at(5us, [&] { f.respond(PacketKind::read_response, 2, 808_B, 77); });
  f.bench.run();
  REQUIRE(f.wire.all.size() == 1);
  const Packet& request = f.wire.all[0].packet;
  CHECK(request.kind == PacketKind::read_request);
  CHECK(request.wire == 26_B + 16_B);
  CHECK(request.length == 9000_B);
  CHECK(request.address == 0x9000);
  REQUIRE(f.dma.writes.size() == 4);
  CHECK(Dma::times(f.dma.writes) == Times{3300ns, 4300ns, 5300ns, 5300ns + 170ns});
  CHECK(f.dma.writes[1].stage == Stage::response_write);
  CHECK(f.dma.writes[1].address == 0x5000 + 4096);
  CHECK(std::get<std::uint64_t>(f.dma.writes[2].content) == 77);
  CHECK(std::get<Cqe>(f.dma.writes[3].content).status == CqeStatus::ok);
  f.nic.check_books();
}

TEST_CASE("fetch: a READ takes as many PSNs as it has responses") {
  Fixture f;
  const auto qpn = f.make();
  f.write(f.read(qpn, 0, 9000_B));
  f.write(f.wqe(qpn, 1));
  f.ring(qpn, 2);
  f.bench.run();
  REQUIRE(f.wire.all.size() == 2);
  CHECK(f.wire.all[0].packet.psn == 0);
  CHECK(f.wire.all[1].packet.psn == 3);
}

TEST_CASE("fetch: at most so many READs and atomics wait for their answers; what is behind waits too") {
  NicParams params = Fixture::defaults();
  params.fetches_outstanding = 2;
  Fixture f(params);
  const auto qpn = f.make();
  f.write(f.read(qpn, 0, 8_B));
  f.write(f.atomic(qpn, 1, Opcode::fetch_add, 1));
  f.write(f.read(qpn, 2, 8_B));
  f.write(f.wqe(qpn, 3));
  f.ring(qpn, 4);
  f.bench.run_through(4us);
  CHECK(f.wire.all.size() == 2);
  f.script.at(5us, [&] { f.respond(PacketKind::read_response, 0, 8_B); });
  f.bench.run();
  CHECK(f.wire.all.size() == 4);
  CHECK(f.wire.all[2].at == 5us + 300ns + 300ns);
}

TEST_CASE("fetch: a responder reads, then answers; ACKs keep their place behind it") {
  Fixture f;
  const auto qpn = f.make();
  f.dma.cells.write(0x9000 + 4096, std::uint64_t{5}, 0ns);
  const Wqe read = f.read(qpn, 0, 5000_B), write = f.wqe(qpn, 1);
  f.request(read, 0, 0ns);
  f.receive(write, 2, 10ns);
  f.bench.run();
  REQUIRE(f.wire.all.size() == 3);
  const auto& p = f.wire.all;
  CHECK(Dma::times(f.dma.reads) == Times{300ns + 100ns, 300ns + 100ns});
  CHECK(f.dma.reads[1].stage == Stage::remote_read);
  CHECK(p[0].at == 400ns + 600ns + 300ns);
  CHECK(p[0].packet.wire == 26_B + 4_B + 4096_B);
  CHECK(p[1].packet.wire == 26_B + 4_B + 904_B);
  CHECK(p[1].packet.value == 5);
  CHECK(p[2].packet.kind == PacketKind::ack);
  CHECK(p[2].packet.psn == 2);
  CHECK(p[2].at == p[1].at + 150ns);
  f.nic.check_books();
}

TEST_CASE("fetch: the middle packets of a response carry no AETH") {
  Fixture f;
  const Wqe read = f.read(f.make(), 0, 12'288_B);
  f.request(read, 0, 0ns);
  f.bench.run();
  REQUIRE(f.wire.all.size() == 3);
  CHECK(f.wire.all[0].packet.wire == 26_B + 4_B + 4096_B);
  CHECK(f.wire.all[1].packet.wire == 26_B + 4096_B);
  CHECK(f.wire.all[2].packet.wire == 26_B + 4_B + 4096_B);
}

TEST_CASE("fetch: atomics are executed one after another, each on what the one before left") {
  Fixture f;
  const auto qpn = f.make();
  f.dma.cells.write(0x9000, std::uint64_t{40}, 0ns);
  f.dma.stores = true;
  const Wqe add = f.atomic(qpn, 0, Opcode::fetch_add, 2), swap = f.atomic(qpn, 1, Opcode::compare_swap, 9, 42),
            miss = f.atomic(qpn, 2, Opcode::compare_swap, 1, 42);
  f.request(add, 0, 0ns);
  f.request(swap, 1, 0ns);
  f.request(miss, 2, 0ns);
  f.bench.run();
  REQUIRE(f.wire.all.size() == 3);
  CHECK(f.wire.all[0].packet.kind == PacketKind::atomic_response);
  CHECK(f.wire.all[0].packet.wire == 26_B + 4_B + 8_B);
  CHECK(f.wire.all[0].packet.value == 40);
  CHECK(f.wire.all[1].packet.value == 42);
  CHECK(f.wire.all[2].packet.value == 9);
  CHECK(f.wire.times() == Times{300ns + 100ns + 650ns + 300ns, 400ns + 1300ns + 300ns, 400ns + 1950ns + 300ns});
  CHECK(f.dma.writes.size() == 2);  // the last compare failed
  CHECK(f.nic.stats().atomics == 3);
}

TEST_CASE("fetch: an atomic that comes again is answered from its saved result, and acts once") {
  Fixture f;
  const auto qpn = f.make();
  f.dma.stores = true;
  const Wqe add = f.atomic(qpn, 0, Opcode::fetch_add, 2);
  f.request(add, 0, 0ns);
  f.request(add, 0, 100ns);  // while it is under way: one answer
  f.request(add, 0, 5us);
  f.bench.run();
  REQUIRE(f.wire.all.size() == 2);
  CHECK(f.wire.all[1].packet.value == 0);
  CHECK(f.wire.all[1].at == 5us + 300ns + 100ns + 300ns);
  CHECK(f.dma.writes.size() == 1);
  CHECK(f.nic.stats().atomics == 1);
  CHECK(f.nic.stats().duplicates == 2);
}

TEST_CASE("fetch: the old value goes to the WQE's local address, then the CQE") {
  Fixture f;
  const auto qpn = f.make();
  f.write(f.atomic(qpn, 0, Opcode::compare_swap, 9, 42));
  f.ring(qpn, 1);
  f.script.at(3us, [&] { f.respond(PacketKind::atomic_response, 0, 0_B, 41); });
  f.bench.run();
  REQUIRE(f.wire.all.size() == 1);
  CHECK(f.wire.all[0].packet.wire == 26_B + 28_B);
  REQUIRE(f.dma.writes.size() == 2);
  CHECK(f.dma.writes[0].stage == Stage::response_write);
  CHECK(f.dma.writes[0].address == 0x5000);
  CHECK(f.dma.writes[0].length == 8_B);
  CHECK(std::get<std::uint64_t>(f.dma.writes[0].content) == 41);
  CHECK(f.dma.writes[1].stage == Stage::cqe_write);
}

TEST_CASE("fetch: a write with immediate consumes a receive, whose CQE follows the data") {
  Fixture f;
  const auto qpn = f.make();
  f.nic.post_receives(qpn, 1);
  Wqe wqe = f.wqe(qpn, 0);
  wqe.opcode = Opcode::rdma_write_imm;
  wqe.immediate = 0xabcd;
  f.receive(wqe, 0, 0ns);
  f.receive(wqe, 1, 1us);  // finds none: RNR NAK
  f.bench.run();
  REQUIRE(f.dma.writes.size() == 2);
  CHECK(f.dma.writes[1].at == 300ns + 170ns);
  CHECK(f.dma.writes[1].address == Fixture::received_of(qpn));
  const Cqe cqe = std::get<Cqe>(f.dma.writes[1].content);
  CHECK(cqe.immediate == 0xabcd);
  CHECK(cqe.index == 0);
  CHECK(cqe.opcode == CqeOpcode::write_imm_received);
  REQUIRE(f.wire.all.size() == 2);
  CHECK(f.wire.all[1].packet.kind == PacketKind::nak);
  CHECK(f.wire.all[1].packet.syndrome == Syndrome::rnr_nak);
  CHECK(f.wire.all[1].packet.psn == 1);
}

TEST_CASE("fetch: after a RNR NAK the requester waits, then sends again") {
  TransportParams transport;
  transport.rnr_retries = 3;  // without end, it would keep no run alive
  Fixture f(Fixture::defaults(), 600ns, transport);
  const auto qpn = f.make();
  Wqe wqe = f.wqe(qpn, 0);
  wqe.opcode = Opcode::rdma_write_imm;
  f.write(wqe);
  f.write(f.wqe(qpn, 1));
  f.ring(qpn, 2);
  f.script.at(3us, [&] { f.nak(0, Syndrome::rnr_nak); });
  f.bench.run();
  REQUIRE(f.wire.all.size() == 4);
  CHECK(f.wire.all[0].packet.wire == 26_B + 16_B + 8_B + 4_B);
  CHECK(f.wire.all[2].packet.psn == 0);
  CHECK(f.wire.all[2].at == 3us + 170ns + 640us + 300ns);
}

TEST_CASE("fetch: a receiver that never is ready fails the queue pair") {
  TransportParams transport;
  transport.rnr_retries = 1;
  Fixture f(Fixture::defaults(), 600ns, transport);
  Wqe wqe = f.wqe(f.make(), 0);
  wqe.opcode = Opcode::rdma_write_imm;
  f.write(wqe);
  f.ring(1, 1);
  for (const Picoseconds at : {3us, 700us}) f.script.at(at, [&] { f.nak(0, Syndrome::rnr_nak); });
  f.bench.run();
  REQUIRE(f.dma.writes.size() == 1);
  CHECK(std::get<Cqe>(f.dma.writes[0].content).status == CqeStatus::receiver_not_ready);
  CHECK(f.nic.failures().size() == 1);
  f.nic.check_books();
}

}  // namespace
}  // namespace gicsim::nic
