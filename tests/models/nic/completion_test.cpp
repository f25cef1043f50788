// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "models/base/errors.h"
#include "models/protocol/interrupt.h"
#include "tests/models/nic/fixture.h"

namespace gicsim::nic {
namespace {

constexpr Address consumer = 0x70'0000, events = 0x71'0000, vector_of_it = interrupt_base + 16;

/// A queue pair whose CQ is a ring.
std::uint32_t ring_of(Fixture& f, std::uint32_t entries, bool ignore = false) {
  const auto qpn = f.make();
  f.nic.place(qpn, {entries, consumer, ignore, events, vector_of_it}, 0);
  return qpn;
}

std::vector<Cqe> cqes(const Fixture& f) {
  std::vector<Cqe> all;
  for (const auto& write : f.dma.writes)
    if (const auto* cqe = std::get_if<Cqe>(&write.content)) all.push_back(*cqe);
  return all;
}

/// Posts and acknowledges `n` WQEs.
void complete(Fixture& f, std::uint32_t qpn, std::uint32_t n) {
  f.acknowledges = 1us;
  f.write_all(qpn, n);
  f.ring(qpn, n);
}

TEST_CASE("completion: a ring's entries are written in turn, and the owner bit flips each time round") {
  Fixture f;
  const auto qpn = ring_of(f, 4);
  f.dma.cells.write(consumer, std::uint64_t{2}, 0ns);
  complete(f, qpn, 6);
  f.bench.run();
  const auto all = cqes(f);
  REQUIRE(all.size() == 6);
  std::size_t n = 0;
  for (const auto& write : f.dma.writes) {
    if (write.content.index() != Content(Cqe{}).index()) continue;
    CHECK(write.address == Fixture::completion_of(qpn) + n % 4 * 64);
    CHECK(all[n].owner == n / 4);
    CHECK(all[n].index == n);
    ++n;
  }
  CHECK(f.nic.cq_stats().consumer_reads == 1);  // two were taken: that is room for both
  CHECK(f.nic.async_events().empty());
  f.nic.check_books();
}

TEST_CASE("completion: a ring that its record says is full runs over: two events, the queue pair in error, no CQE") {
  Fixture f;
  const auto qpn = ring_of(f, 4);
  complete(f, qpn, 6);
  f.bench.run();
  CHECK(cqes(f).size() == 4);
  CHECK(f.nic.cq_stats().overruns == 1);
  CHECK(f.nic.cq_stats().lost_cqes == 2);
  REQUIRE(f.nic.async_events().size() == 2);
  CHECK(f.nic.async_events()[0].kind == AsyncKind::cq_error);
  CHECK(f.nic.async_events()[0].what == "nic.qp1: its completion queue of 4 entries ran over: 4 CQEs written, and its "
                                        "consumer index says 0");
  CHECK(f.nic.async_events()[1].kind == AsyncKind::qp_fatal);
  REQUIRE(f.nic.failures().size() == 1);
  CHECK(f.nic.failures()[0].index == 4);
  f.nic.check_books();
}

TEST_CASE("completion: with overrun ignored it writes over what is there, and asks nobody") {
  Fixture f;
  const auto qpn = ring_of(f, 4, true);
  complete(f, qpn, 6);
  f.bench.run();
  CHECK(cqes(f).size() == 6);
  CHECK(f.nic.cq_stats().consumer_reads == 0);
  CHECK(f.nic.async_events().empty());
}

TEST_CASE("completion: errors and flushes come in order, with their syndromes") {
  NicParams params = Fixture::defaults();
  params.ack_timeout = 1;
  params.retries = 0;
  Fixture f(params);
  const auto qpn = f.make();
  f.write_all(qpn, 3);
  f.ring(qpn, 3);
  f.bench.run();
  const auto all = cqes(f);
  REQUIRE(all.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    CHECK(all[i].index == i);
    CHECK(all[i].opcode == CqeOpcode::requester_error);
    CHECK(all[i].status == (i == 0 ? CqeStatus::retry_exceeded : CqeStatus::flushed));
  }
}

/// Tells the NIC that a poller that has seen all below `index` wants an event.
void arm(Fixture& f, std::uint32_t qpn, std::uint32_t index, Picoseconds at) {
  f.script.at(at, [&f, qpn, index] {
    Transfer& store = f.rings.emplace_back();
    store.address = f.nic.arm_address();
    store.length = 8_B;
    store.content = std::uint64_t{qpn} << 32 | index;
    f.nic.target->on_write(store, f.bench.now());
  });
}
std::vector<Picoseconds> told(const Fixture& f, Address address) {
  std::vector<Picoseconds> all;
  for (const auto& write : f.dma.writes)
    if (write.address == address) all.push_back(write.at);
  return all;
}

TEST_CASE("events: an armed queue's CQE makes one event, an entry and then the interrupt") {
  Fixture f;
  const auto qpn = ring_of(f, 1);
  arm(f, qpn, 0, 0ns);
  f.write_all(qpn, 2);
  f.ring(qpn, 2);
  f.script.at(3us, [&] { f.ack(0); });
  f.script.at(5us, [&] { f.ack(1); });  // nobody asked for that one
  f.bench.run();
  CHECK(told(f, events) == Times{3us + 340ns + 100ns});
  CHECK(told(f, vector_of_it) == Times{3us + 340ns + 100ns});
}

TEST_CASE("events: what the poller hadn't seen when it asked is told at once") {
  Fixture f;
  const auto qpn = ring_of(f, 1);
  f.write_all(qpn, 1);
  f.ring(qpn, 1);
  f.script.at(3us, [&] { f.ack(0); });
  arm(f, qpn, 0, 10us);
  arm(f, qpn, 1, 20us);
  f.bench.run();
  CHECK(told(f, events) == Times{10us + 150ns + 100ns});
}

TEST_CASE("events: moderated by count and by time, whichever comes first") {
  Fixture f;
  QueueParams queues{.moderation_count = 2, .moderation_period = 4us};
  f.nic.set(queues);
  const auto qpn = ring_of(f, 1);
  arm(f, qpn, 0, 0ns);
  f.write_all(qpn, 3);
  f.ring(qpn, 3);
  f.script.at(3us, [&] { f.ack(0); });
  f.script.at(4us, [&] { f.ack(1); });
  arm(f, qpn, 2, 10us);
  f.script.at(11us, [&] { f.ack(2); });
  f.bench.run();
  CHECK(told(f, events) == Times{4us + 340ns + 100ns, 11us + 340ns + 4us + 100ns});
}

TEST_CASE("completion: a NOP takes its units and nothing else") {
  Fixture f;
  f.acknowledges = 1us;
  const auto qpn = f.make(8);
  f.write(f.wqe(qpn, 0, 100_B));  // three units
  f.write(f.wqe(qpn, 3, 100_B));
  Wqe nop{.opcode = Opcode::nop, .signaled = false, .qpn = qpn, .index = 6};
  nop.segments = 2;
  f.write(nop);
  f.write(f.wqe(qpn, 8, 100_B), 4us);  // in the slot of the first
  f.ring(qpn, 8);
  f.ring(qpn, 11, 5us);
  f.bench.run();
  const auto all = cqes(f);
  REQUIRE(all.size() == 3);
  CHECK(all[2].index == 8);
  CHECK(f.nic.cq_stats().nops == 1);
  Bytes fetched;
  for (const auto& read : f.dma.reads) fetched += read.length;
  CHECK(fetched == 11 * 64_B);
  CHECK(f.nic.stats().wqes == 3);
  f.nic.check_books();
}

TEST_CASE("completion: a WQE that was written over before its fetch is told with slot and times") {
  Fixture f;
  const auto qpn = f.make(4);
  f.write(f.wqe(qpn, 0));
  f.write(f.wqe(qpn, 4), 100ns);  // the same slot
  f.ring(qpn, 1, 200ns);
  f.bench.run();
  REQUIRE(f.nic.stale_fetches().size() == 1);
  const StaleFetch& stale = f.nic.stale_fetches()[0];
  CHECK(stale.index == 0);
  CHECK(stale.slot == 0);
  CHECK(stale.other == 4u);
  CHECK(stale.since == 100ns);
  CHECK(stale.read == 200ns + 150ns + 300ns);
}

TEST_CASE("scatter: a packet's payload is read in the pieces of its WQE's list") {
  Fixture f;
  f.acknowledges = 1us;
  const auto qpn = f.make();
  Wqe wqe = f.wqe(qpn, 0, 6000_B, false);
  wqe.segments = 3;
  f.write(wqe);
  f.ring(qpn, wqe_units(wqe));
  f.bench.run();
  std::vector<Bytes> lengths;
  for (const auto& read : f.dma.reads)
    if (read.stage == Stage::payload_read) lengths.push_back(read.length);
  CHECK(lengths == std::vector<Bytes>{2000_B, 2000_B, 96_B, 1904_B});
  CHECK(f.wire.all.size() == 2);
  CHECK(wqe_units(wqe) == 2);
  CHECK(f.nic.stats().payload_sent == 6000_B);
  f.nic.check_books();
}

TEST_CASE("record: a NIC that goes by the doorbell record fetches what that says, a read later") {
  Fixture f;
  f.acknowledges = 1us;
  QueueParams queues{.record = DoorbellRecord::read};
  f.nic.set(queues);
  const auto qpn = f.make();
  f.nic.place(qpn, CqConfig{}, 0x60'0000);
  f.write_all(qpn, 2);
  f.dma.cells.write(0x60'0000, std::uint64_t{1}, 0ns);
  f.ring(qpn, 2);
  f.bench.run();
  CHECK(f.nic.rung(qpn) == 1);
  CHECK(f.nic.stats().wqes == 1);
  REQUIRE(f.dma.reads.size() >= 2);
  CHECK(f.dma.reads[0].at == 150ns);
  CHECK(f.dma.reads[1].at == 150ns + 600ns);
  f.nic.check_books();
}

TEST_CASE("port: a NIC tells its driver that its cable went down, and that it came up") {
  Fixture f;
  f.script.at(1us, [&] { f.nic.port_changed(false); });
  f.script.at(2us, [&] { f.nic.port_changed(true); });
  f.bench.run();
  REQUIRE(f.nic.async_events().size() == 2);
  CHECK(f.nic.async_events()[0].kind == AsyncKind::port_error);
  CHECK(f.nic.async_events()[1].kind == AsyncKind::port_active);
  CHECK(f.nic.async_events()[1].at == 2us);
  CHECK(f.dma.writes.size() == 2);  // an interrupt each
}

TEST_CASE("completion: queue pairs share a ring, whose CQEs name them; when it runs over all of them fail") {
  Fixture f;
  const auto first = f.make(), second = f.make();
  const Address ring = 0x50'0000, record = 0x60'0000;
  f.nic.place(first, CqConfig{.entries = 4, .consumer = record}, 0);
  f.nic.place(second, CqConfig{.entries = 4, .consumer = record, .of = first}, 0);
  for (const auto qpn : {first, second}) {
    f.nic.place(qpn, f.ring_of(qpn), ring);
    f.write_all(qpn, 3);
    f.ring(qpn, 3);
  }
  for (std::uint32_t i = 0; i < 3; ++i)
    f.script.at(Picoseconds{10us} + i * 2us, [&f, i] { f.ack(i, 1); }), f.script.at(Picoseconds{11us} + i * 2us, [&f, i] { f.ack(i, 2); });
  f.bench.run();
  std::vector<Cqe> all;
  std::vector<Address> where;
  for (const auto& write : f.dma.writes)
    if (const auto* cqe = std::get_if<Cqe>(&write.content)) all.push_back(*cqe), where.push_back(write.address);
  REQUIRE(all.size() == 4);  // of six
  CHECK(where == std::vector<Address>{ring, ring + 64, ring + 128, ring + 192});
  CHECK(all[0].qpn == first);
  CHECK(all[1].qpn == second);
  CHECK(all[3].index == 1);
  CHECK(f.nic.cq_stats().overruns == 1);
  REQUIRE(f.nic.failures().size() == 2);
  CHECK(f.nic.failures()[0].cause == "its completion queue of 4 entries, of 2 queue pairs, ran over: 4 CQEs written, and its "
                                     "consumer index says 0");
  CHECK(f.nic.async_events().size() == 3);  // one of the CQ, one of each queue pair
}

}  // namespace
}  // namespace gicsim::nic
