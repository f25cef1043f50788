// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// SENDs and their receives, datagrams, ACKs one by one.
#include <doctest/doctest.h>

#include "tests/models/nic/fixture.h"
#include "tests/support/nic_pair.h"

namespace gicsim::nic {
namespace {

constexpr Address buffer = 1 << 22;

Wqe send(Bytes length, bool inlined = false) {
  return {.opcode = Opcode::send, .inlined = inlined, .local = 1 << 20, .length = length, .value = 7};
}

TEST_CASE("send: a SEND has no address of its own: 16 B less than a write, in its WQE and on the wire") {
  CHECK(wqe_units(true, 44_B, Opcode::send) == 1);
  CHECK(wqe_units(true, 45_B, Opcode::send) == 2);
  CHECK(wqe_units(false, 8_B, Opcode::send, Service::ud) == 2);
  CHECK(wqe_units(false, 8_B, Opcode::fetch_add) == 1);
  CHECK(infiniband_overhead.on_wire({.kind = PacketKind::send, .first = true, .payload = 8_B}) == 26_B + 8_B);
  CHECK(infiniband_overhead.on_wire({.kind = PacketKind::send, .first = true, .payload = 8_B, .service = Service::ud}) ==
        26_B + 8_B + 8_B);
}

TEST_CASE("send: its data go where the receive's WQE says, then the receive's CQE, with their length") {
  NicPair pair(NicPair::nic_defaults(), NicPair::wire_defaults(), NicPair::wire_defaults());
  pair.receive(buffer, 8_KiB);
  pair.post(send(5000_B));
  pair.ring();
  pair.bench.run();
  std::vector<Address> written;
  for (const auto& write : pair.far_memory.writes) written.push_back(write.address);
  CHECK(written == std::vector<Address>{buffer, buffer + 4096, NicPair::far_cq});
  const Cqe& cqe = std::get<Cqe>(pair.far_memory.writes.back().content);
  CHECK(cqe.opcode == CqeOpcode::send_received);
  CHECK(cqe.length == 5000_B);
  CHECK(pair.far.stats().receive_fetches == 1);
  CHECK(pair.near.stats().cqes == 1);
  pair.check_books();
}

TEST_CASE("send: receive WQEs are read ahead; what comes before its own is here waits, and nothing is sent again") {
  NicPair pair(NicPair::nic_defaults(), NicPair::wire_defaults(), NicPair::wire_defaults(), 1, 1024, 20us);
  for (int i = 0; i < 40; ++i) pair.receive(buffer, 4_KiB);
  for (int i = 0; i < 40; ++i) pair.post(send(8_B, true));
  pair.ring();
  pair.bench.run();
  CHECK(pair.far.stats().kept_peak > 0);
  CHECK(pair.far.stats().receive_fetches >= 40 / 16);
  CHECK(pair.far.stats().naks_sent == 0);
  CHECK(pair.near.stats().cqes == 40);
  pair.check_books();
}

TEST_CASE("send: RNR NAKs carry the responder's timer code, and are counted by themselves") {
  NicParams params = NicPair::nic_defaults();
  params.rnr_timer = 10us;
  TransportParams transport;
  transport.rnr_retries = 3;
  NicPair pair(params, NicPair::wire_defaults(), NicPair::wire_defaults(), 1, 1024, 600ns, transport);
  std::vector<std::uint8_t> syndromes;
  pair.sent.listen([&](const PacketSent& sent) {
    if (sent.packet.kind == PacketKind::nak) syndromes.push_back(aeth_syndrome(sent.packet));
  });
  pair.post(send(8_B, true));
  pair.ring();
  pair.bench.run();
  CHECK(syndromes == std::vector<std::uint8_t>{0x21, 0x21, 0x21, 0x21});
  REQUIRE(pair.near.failures().size() == 1);
  CHECK(pair.near.failures()[0].status == CqeStatus::receiver_not_ready);
  CHECK(pair.near.failures()[0].cause == "RNR NAKed 4 times: the far side has no receive for it");
  pair.check_books();
}

TEST_CASE("send: the 32 waits of a RNR NAK") {
  CHECK(rnr_timers[rnr_code(640us)] == 640us);
  CHECK(rnr_code(640us) == 12);
  CHECK(rnr_code(10'240us) == 0x14);
  CHECK(rnr_code(11us) == 2);
  CHECK(rnr_code(492ms) == 0);
  CHECK(rnr_timers[0] == 655'360us);
}

TEST_CASE("send: with seven RNR retries it is tried without end, which keeps no run alive; a receive ends it") {
  for (const bool late : {false, true}) {
    NicPair pair(NicPair::nic_defaults(), NicPair::wire_defaults(), NicPair::wire_defaults());
    pair.post(send(8_B, true));
    pair.ring();
    pair.bench.run();
    CHECK(pair.near.stats().cqes == 0);
    std::vector<std::string> lines;
    pair.near.unfinished(lines), pair.far.unfinished(lines);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == "near.qp1: RNR NAKed 1 times, waits until the far side has posted a receive");
    CHECK(lines[1] == "far.qp1: 0 receives consumed, none is posted");
    if (!late) continue;
    pair.receive(buffer, 4_KiB);
    pair.bench.run();
    CHECK(pair.near.stats().cqes == 1);
    pair.check_books();
  }
}

TEST_CASE("send: a datagram that is lost is nobody's concern; one without a receive, or for another key, is dropped") {
  for (const bool key : {true, false}) {
    NicPair pair(NicPair::nic_defaults(), NicPair::wire_defaults(), NicPair::wire_defaults());
    QueuePairConfig config{.send_queue = 1 << 25, .completion = 1 << 27, .service = Service::ud};
    const std::uint32_t qpn = pair.near.make_queue_pair(config);
    config.key = key ? 5 : 6;
    config.receive_completion = (1 << 27) + 64;
    pair.far.make_queue_pair(config);
    pair.near.connect(qpn, 2, qpn), pair.far.connect(qpn, 1, qpn);
    pair.far.post_receives(qpn, 2);
    pair.forth.script({link::PacketClass::any, 1});
    for (std::uint32_t i = 0; i < 4; ++i) {
      Wqe wqe = send(8_B, true);
      wqe.qpn = qpn, wqe.index = 2 * i;
      wqe.service = Service::ud;
      wqe.to = {2, qpn, 5};
      pair.near_memory.cells.write((1 << 25) + 2 * i * 64, wqe, 0ns);
    }
    Transfer ring;
    ring.address = pair.near.doorbell_address();
    ring.content = std::uint64_t{qpn} << 32 | 8;
    pair.near.target->on_write(ring, pair.bench.now());
    pair.bench.run();
    CHECK(pair.near.stats().cqes == 4);
    CHECK(pair.near.stats().timeouts == 0);
    CHECK(pair.forth.stats().wire == 4 * (26_B + 8_B + 8_B));
    CHECK(pair.back.stats().packets == 0);
    CHECK(pair.far.stats().packets_received == (key ? 2 : 0));
    CHECK(pair.far.stats().datagrams_dropped == (key ? 1 : 3));
    pair.check_books();
  }
}

TEST_CASE("send: a queue pair in error flushes its receives in order, the one under way first, and those that come later") {
  NicPair pair(NicPair::nic_defaults(), NicPair::wire_defaults(), NicPair::wire_defaults());
  for (int i = 0; i < 4; ++i) pair.receive(buffer, 8_KiB);
  pair.post(send(8_B, true));
  pair.post(send(8_KiB));
  pair.forth.script({link::PacketClass::any, 3});  // the second half of the second
  pair.ring();
  pair.bench.run_through(10us);
  pair.far.modify(pair.qpn, QueueState::error);
  pair.receive(buffer, 8_KiB);
  pair.bench.run_through(20us);
  std::vector<Cqe> all;
  for (const auto& write : pair.far_memory.writes)
    if (const auto* cqe = std::get_if<Cqe>(&write.content)) all.push_back(*cqe);
  REQUIRE(all.size() == 5);
  for (std::uint32_t i = 0; i < 5; ++i) {
    CHECK(all[i].index == i);
    CHECK(all[i].opcode == (i == 0 ? CqeOpcode::send_received : CqeOpcode::responder_error));
    CHECK(all[i].status == (i == 0 ? CqeStatus::ok : CqeStatus::flushed));
  }
  CHECK(pair.far.queue_pair_stats()[0].resp_cqe_flush_error == 4);
  CHECK(pair.far.queue_pair_stats()[0].resp_cqe_error == 4);
}

TEST_CASE("send: a datagram's data come behind 40 B, which RoCE's IP header takes and InfiniBand leaves alone") {
  for (const bool roce : {false, true}) {
    link::WireParams wire = NicPair::wire_defaults();
    if (roce) wire.protocol = link::Protocol::rocev2;
    NicPair pair(NicPair::nic_defaults(), wire, wire);
    QueuePairConfig config{.send_queue = 1 << 25, .completion = 1 << 27, .service = Service::ud, .key = 5};
    const std::uint32_t qpn = pair.near.make_queue_pair(config);
    config.receive_queue = NicPair::receives_at;
    config.receive_completion = (1 << 27) + 64;
    pair.far.make_queue_pair(config);
    pair.near.connect(qpn, 2, qpn), pair.far.connect(qpn, 1, qpn);
    for (std::uint32_t i = 0; i < 2; ++i) {  // the second is too short by a byte
      pair.far_memory.cells.write(NicPair::receives_at + i * 64, ReceiveWqe{i, buffer, Bytes(48 - i)}, 0ns);
      Wqe wqe = send(8_B, true);
      wqe.qpn = qpn, wqe.index = 2 * i;
      wqe.service = Service::ud;
      wqe.to = {2, qpn, 5};
      pair.near_memory.cells.write((1 << 25) + 2 * i * 64, wqe, 0ns);
    }
    pair.far.post_receives(qpn, 2);
    Transfer ring;
    ring.address = pair.near.doorbell_address();
    ring.content = std::uint64_t{qpn} << 32 | 4;
    pair.near.target->on_write(ring, pair.bench.now());
    pair.bench.run();
    std::vector<std::pair<Address, Bytes>> data;
    std::vector<Cqe> all;
    for (const auto& write : pair.far_memory.writes)
      if (const auto* cqe = std::get_if<Cqe>(&write.content)) all.push_back(*cqe);
      else data.emplace_back(write.address, write.length);
    if (roce) CHECK(data == std::vector<std::pair<Address, Bytes>>{{buffer, 40_B}, {buffer + 40, 8_B}});
    else CHECK(data == std::vector<std::pair<Address, Bytes>>{{buffer + 40, 8_B}});
    REQUIRE(all.size() == 2);
    CHECK(all[0].length == 48_B);
    CHECK(all[1].status == CqeStatus::local_length);
    CHECK(pair.far.stats().datagrams_dropped == 1);
    pair.check_books();
  }
}

TEST_CASE("send: ACKs that become due meanwhile coalesce, or each message has one") {
  for (const Acks acks : {Acks::coalesced, Acks::every}) {
    TransportParams transport;
    transport.ack = acks;
    Fixture f(Fixture::defaults(), 600ns, transport);
    const Wqe wqe = f.wqe(f.make(), 0);
    for (std::uint32_t i = 0; i < 5; ++i) f.receive(wqe, i, 1ns * i);
    f.bench.run();
    CHECK(f.wire.all.size() == (acks == Acks::every ? 5 : 1));
    CHECK(f.wire.all.back().packet.psn == 4);
    f.nic.check_books();
  }
}

}  // namespace
}  // namespace gicsim::nic
