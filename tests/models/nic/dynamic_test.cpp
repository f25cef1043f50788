// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// DC: whom an initiator is connected to, and what it costs to go on to another one.
#include <doctest/doctest.h>

#include "tests/support/nic_pair.h"

namespace gicsim::nic {
namespace {

struct Dynamic : NicPair {
  static constexpr Address ring_here = 1 << 25, completions = 1 << 27;
  std::uint32_t initiator = 0, index = 0;
  std::vector<std::pair<PacketKind, std::uint32_t>> order;
  Transfer doorbell;

  explicit Dynamic(const TransportParams& t = {}) : NicPair(nic_defaults(), wire_defaults(), wire_defaults(), 1, 1024, 600ns, t) {
    QueuePairConfig config{.send_queue = ring_here, .completion = completions, .service = Service::dc, .key = 9};
    initiator = near.make_queue_pair(config);
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t target = far.make_queue_pair(config);
      far.connect(target, 1, initiator);
    }
    near.connect(initiator, 2, 2);
    sent.listen([this](const PacketSent& s) {
      if (!s.lost && is_request(s.packet.kind)) order.emplace_back(s.packet.kind, s.packet.qpn);
    });
  }
  void post_to(std::uint32_t target, std::uint32_t key = 9, Opcode opcode = Opcode::rdma_write) {
    Wqe wqe{.opcode = opcode, .inlined = !is_fetch(opcode), .qpn = initiator, .index = index, .length = 8_B, .value = 1,
            .service = Service::dc, .to = {2, target, key}};
    near_memory.cells.write(ring_here + index % 1024 * 64, wqe, bench.now());
    index += wqe_units(wqe);
  }
  void ring_and_run() {
    doorbell.address = near.doorbell_address();
    doorbell.content = std::uint64_t{initiator} << 32 | index;
    near.target->on_write(doorbell, bench.now());
    bench.run();
  }
};
using Order = std::vector<std::pair<PacketKind, std::uint32_t>>;

TEST_CASE("dc: a connect packet goes ahead of the first request, none of those to the same target") {
  Dynamic pair;
  CHECK(wqe_units(true, 8_B, Opcode::rdma_write, Service::dc) == 2);
  for (int i = 0; i < 3; ++i) pair.post_to(2);
  pair.ring_and_run();
  CHECK(pair.order == Order{{PacketKind::connect, 2}, {PacketKind::write, 2}, {PacketKind::write, 2}, {PacketKind::write, 2}});
  CHECK(pair.near.stats().cqes == 3);
  CHECK(pair.far.stats().dc_connects == 1);
  pair.check_books();
}

TEST_CASE("dc: another target is another connection, once all before it is acknowledged") {
  Dynamic one, other;
  for (int i = 0; i < 8; ++i) one.post_to(2), other.post_to(2 + i % 2, 9, i == 5 ? Opcode::fetch_add : Opcode::rdma_write);
  one.ring_and_run(), other.ring_and_run();
  CHECK(other.near.stats().cqes == 8);
  CHECK(other.far.stats().dc_connects == 8);
  CHECK(other.far.stats().atomics == 1);
  CHECK(other.bench.now() > one.bench.now() + 7 * 1us);  // a round trip each
  one.check_books(), other.check_books();
}

TEST_CASE("dc: a connect packet, a request or an ACK that gets lost, with either mode") {
  for (const auto mode : {Retransmission::go_back_n, Retransmission::selective_repeat})
    for (Count n = 1; n <= 6; ++n) {
      TransportParams transport;
      transport.retransmission = mode;
      Dynamic pair(transport);
      pair.forth.script({link::PacketClass::any, n});
      pair.back.script({link::PacketClass::ack, n});
      for (int i = 0; i < 4; ++i) pair.post_to(2 + i / 2);
      pair.ring_and_run();
      CHECK(pair.near.stats().cqes == 4);
      CHECK(pair.near.failures().empty());
      CHECK(pair.far.stats().packets_received == 4);
      pair.check_books();
    }
}

TEST_CASE("dc: the key is the target's own") {
  Dynamic pair;
  pair.post_to(2, 8);
  pair.ring_and_run();
  REQUIRE(pair.near.failures().size() == 1);
  CHECK(pair.near.failures()[0].status == CqeStatus::retry_exceeded);
}

}  // namespace
}  // namespace gicsim::nic
