// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// When a packet without an answer is sent again, to the picosecond; selective repeat; atomics' locks.
#include <doctest/doctest.h>

#include <set>

#include "tests/models/nic/fixture.h"

namespace gicsim::nic {
namespace {


/// One write that nobody answers: when it is sent.
std::vector<Picoseconds> sends(const TransportParams& transport, Count exponent, Count retries, std::uint64_t seed = 1) {
  NicParams params = Fixture::defaults();
  params.ack_timeout = exponent;
  params.retries = retries;
  Fixture f(params, 600ns, transport);
  f.nic.vary({SpreadParams{}, seed});
  f.write(f.wqe(f.make(), 0));
  f.ring(1, 1);
  f.bench.run();
  REQUIRE(f.nic.failures().size() == 1);
  f.nic.check_books();
  return f.wire.times();
}

TEST_CASE("timer: spec: the first resend comes timeout_factor x 4.096 us x 2^n after, not a picosecond sooner or later") {
  for (const Count factor : {1, 2, 4})
    for (const Count exponent : {1, 8, 14}) {
      TransportParams transport;
      transport.timeout_factor = factor;
      const Picoseconds t = 4096ns * (std::int64_t{1} << exponent) * factor;
      CHECK(sends(transport, exponent, 2) == Times{sent_at, sent_at + t + 300ns, sent_at + 2 * (t + 300ns)});
    }
}

std::vector<Picoseconds> gaps(const std::vector<Picoseconds>& at) {
  std::vector<Picoseconds> all;
  for (std::size_t i = 1; i < at.size(); ++i) all.push_back(at[i] - at[i - 1] - 300ns);
  return all;
}

TEST_CASE("timer: adp: a first time-out that is drawn, once; then 2, 4, 8, 16 ms, on through the next range, and the queue "
          "pair's own as the cap") {
  TransportParams transport;
  transport.rto = Rto::adp;
  std::set<Picoseconds> first;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<Picoseconds> waits = gaps(sends(transport, 14, 3, seed));  // 67.1 ms, three times
    first.insert(waits.front());
    if (waits.front() == 1024us) waits.erase(waits.begin());
    REQUIRE(waits.size() >= 6);
    waits.resize(6);
    CHECK(waits == Times{2048us, 4096us, 8192us, 16'384us, 32'768us, 65'536us});
  }
  CHECK(first == std::set<Picoseconds>{1024us, 2048us});
  transport.adp_init_range = 1;
  for (const Picoseconds wait : gaps(sends(transport, 8, 7))) CHECK(wait <= 4096ns * 256);  // cap: 1.05 ms
}

TEST_CASE("timer: adp: the queue pair fails when as much time is over as its own time-outs would have taken") {
  TransportParams transport;
  transport.rto = Rto::adp;
  const std::vector<Picoseconds> at = sends(transport, 12, 2);  // 16.8 ms each
  CHECK(at.back() < sent_at + 2 * 16'777'216ns);
  CHECK(at.back() > sent_at + 16'777'216ns);
}

TEST_CASE("timer: adp: progress takes it back to the beginning of its range") {
  NicParams params = Fixture::defaults();
  params.ack_timeout = 20;
  TransportParams transport;
  transport.rto = Rto::adp;
  transport.adp_init = 9;
  transport.adp_init_range = 1;
  Fixture f(params, 600ns, transport);
  const auto qpn = f.make();
  f.write_all(qpn, 2);
  f.ring(qpn, 2);
  f.script.at(10ms, [&] { f.ack(0); });  // after 2.0 and 4.1 ms
  f.script.at(13ms, [&] { f.ack(1); });
  f.bench.run();
  REQUIRE(f.wire.all.size() == 2 + 2 + 2 + 1);
  CHECK(f.wire.all.back().at == 10ms + 170ns + 2048us + 300ns);
}

TEST_CASE("selective: what is missing is named once, and only that is sent again") {
  TransportParams transport;
  transport.retransmission = Retransmission::selective_repeat;
  Fixture f(Fixture::defaults(), 600ns, transport);
  const auto qpn = f.make();
  const Wqe wqe = f.wqe(qpn, 0);
  Picoseconds at{};
  for (const std::uint32_t psn : {0u, 3u, 4u, 6u, 1u, 2u, 5u}) f.receive(wqe, psn, at += 1us);
  f.bench.run();
  std::vector<std::string> told;
  for (const auto& noted : f.wire.all) {
    const Packet& p = noted.packet;
    told.push_back(p.kind == PacketKind::ack ? "ack " + std::to_string(p.psn)
                                             : std::to_string(p.gap) + "+" + std::to_string(p.missing));
  }
  CHECK(std::count(told.begin(), told.end(), "1+2") == 1);
  CHECK(std::count(told.begin(), told.end(), "5+1") == 1);
  CHECK(told.back() == "ack 6");
  CHECK(f.nic.stats().packets_received == 7);
  f.nic.check_books();

  Fixture r(Fixture::defaults(), 600ns, transport);
  r.write_all(r.make(), 8);
  r.ring(1, 8);
  r.script.at(5us, [&] {
    r.nic.wire_in->arrive({.kind = PacketKind::nak, .syndrome = Syndrome::sequence_nak, .from = 9, .to = 4, .qpn = 1,
                           .psn = 2, .gap = 2, .missing = 2});
    r.nic.wire_in->arrive({.kind = PacketKind::nak, .syndrome = Syndrome::sequence_nak, .from = 9, .to = 4, .qpn = 1,
                           .psn = 2, .gap = 6, .missing = 1});
  });
  r.script.at(9us, [&] { r.ack(7); });
  r.bench.run();
  std::vector<std::uint32_t> again;
  for (std::size_t i = 8; i < r.wire.all.size(); ++i) again.push_back(r.wire.all[i].packet.psn);
  CHECK(again == std::vector<std::uint32_t>{2, 3, 6});
  CHECK(r.nic.stats().cqes == 8);
  r.nic.check_books();
}

TEST_CASE("atomics: those on one word wait for each other, those on others don't; in the NIC's own memory no bus is between") {
  const auto last = [](Address step, bool own) {
    Fixture f;
    f.dma.stores = true;
    const auto qpn = f.make();
    std::deque<Wqe> adds;
    for (std::uint32_t i = 0; i < 4; ++i) {
      Wqe& wqe = adds.emplace_back(f.atomic(qpn, i, Opcode::fetch_add, 1));
      wqe.remote = (own ? f.nic.own_memory() : 0x9000) + i * step;
      f.request(wqe, i, 0ns);
    }
    f.bench.run();
    REQUIRE(f.wire.all.size() == 4);
    if (step == 0) CHECK(f.wire.all[3].packet.value == 3);
    f.nic.check_books();
    return f.wire.all.back().at;
  };
  CHECK(last(0, false) == 300ns + 100ns + 4 * 650ns + 300ns);
  CHECK(last(8, false) == 300ns + 3 * 2ns + 100ns + 650ns + 300ns);  // one after another into the receiver
  CHECK(last(0, true) == 300ns + 100ns + 4 * 150ns + 300ns);
}

}  // namespace
}  // namespace gicsim::nic
