// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// The models meet the closed forms, where each of their terms matters.
#include "validate/formulas/transport.h"

#include "tests/scenarios/whatif/runs.h"
#include "tests/support/nic_pair.h"

namespace gicsim {
namespace {

Probability probability(double p) { return Probability::steps(std::llround(p * 1e18)); }

struct Measured {
  double per_packet;       ///< picoseconds
  std::int64_t naks, timeouts;
};

/// So many writes of 4 KiB in a row, loss on the way there.
Measured measured(double p, Count exponent, int packets, std::uint64_t seed = 7) {
  nic::NicParams nic = NicPair::nic_defaults();
  nic.transmit_buffer = 32_KiB;  // enough for the wire, not so much that a queue stands in front of it
  nic.ack_timeout = exponent;
  link::WireParams lossy = NicPair::wire_defaults();
  lossy.loss = probability(p);
  NicPair pair(nic, lossy, NicPair::wire_defaults(), seed, 32'768);
  for (int i = 0; i < packets; ++i) pair.post({.signaled = i + 1 == packets, .length = 4_KiB});
  pair.ring();
  pair.bench.run();
  pair.check_books();
  CHECK(pair.near.stats().cqes == 1);
  CHECK(pair.far.stats().packets_received == packets);
  return {static_cast<double>(pair.bench.now().count()) / packets, pair.far.stats().naks_sent,
          pair.near.stats().timeouts};
}

formulas::GoBackN closed_form(Count exponent) {
  nic::NicParams nic = NicPair::nic_defaults();
  nic.ack_timeout = exponent;
  return formulas::go_back_n(nic, NicPair::wire_defaults(), infiniband_overhead, 4_KiB, 600ns);
}

TEST_CASE("formulas: goodput under loss is t + p t_NAK + p^2 T_o within 3 %, whichever term is the largest") {
  struct Point {
    double p;
    Count exponent;
    int packets, runs;  ///< as many as make time-outs numerous
  };
  // t = 0.166 us; p t_NAK = 0.22 us at a tenth; p^2 T_o = 10 us at a fifth and 262 us
  for (const Point& point : {Point{0, 14, 20'000, 1}, Point{1e-3, 2, 30'000, 1}, Point{0.1, 1, 30'000, 2}, Point{0.2, 6, 10'000, 20}}) {
    CAPTURE(point.p);
    const formulas::GoBackN form = closed_form(point.exponent);
    Measured is{};
    for (int run = 0; run < point.runs; ++run) {
      const Measured one = measured(point.p, point.exponent, point.packets, 7 + static_cast<std::uint64_t>(run));
      is = {is.per_packet + one.per_packet / point.runs, is.naks + one.naks, is.timeouts + one.timeouts};
    }
    const double n = point.packets * point.runs, again = n * point.p, late = again * point.p / (1 - point.p);
    CHECK(std::abs(static_cast<double>(is.naks) - again) <= 4 * std::sqrt(again));
    CHECK(std::abs(static_cast<double>(is.timeouts) - late) <= 4 * std::sqrt(late * (1 + point.p) / (1 - point.p)) + 1);
    // What each event cost, by the number of events that were; then what was to be expected.
    const double sum = static_cast<double>(form.packet.count()) +
                       static_cast<double>(is.naks) / n * static_cast<double>(form.nak.count()) +
                       static_cast<double>(is.timeouts) / n * static_cast<double>(form.time_out.count());
    CHECK(is.per_packet == doctest::Approx(sum).epsilon(0.02));
    CHECK(is.per_packet == doctest::Approx(form.picoseconds_per_packet(point.p)).epsilon(point.p < 0.01 ? 0.01 : 0.03));
  }
}

TEST_CASE("formulas: under selective repeat a loss costs its packet's time again, within 3 %") {
  for (const double p : {1e-3, 0.01, 0.05}) {
    CAPTURE(p);
    nic::NicParams nic = NicPair::nic_defaults();
    nic.transmit_buffer = 32_KiB;
    nic.ack_timeout = 2;
    nic::TransportParams transport;
    transport.retransmission = nic::Retransmission::selective_repeat;
    link::WireParams lossy = NicPair::wire_defaults();
    lossy.loss = probability(p);
    NicPair pair(nic, lossy, NicPair::wire_defaults(), 7, 32'768, 600ns, transport);
    constexpr int packets = 30'000;
    for (int i = 0; i < packets; ++i) pair.post({.signaled = i + 1 == packets, .length = 4_KiB});
    pair.ring();
    pair.bench.run();
    pair.check_books();
    CHECK(pair.far.stats().packets_received == packets);
    CHECK(pair.near.stats().repaired >= pair.forth.stats().lost);
    const double per_packet = static_cast<double>(pair.bench.now().count()) / packets;
    CHECK(per_packet == doctest::Approx(formulas::selective_repeat(closed_form(2).packet, p)).epsilon(0.03));
  }
}

TEST_CASE("formulas: one packet at a time, each loss costs a time-out: exact without loss, within 3 % with") {
  for (const auto& [p, factor] : {std::pair{0.0, 1}, std::pair{0.02, 1}, std::pair{0.1, 4}, std::pair{0.2, 1}}) {
    CAPTURE(p);
    nic::NicParams nic = NicPair::nic_defaults();
    nic::TransportParams transport;
    transport.timeout_factor = factor;
    link::WireParams lossy = NicPair::wire_defaults();
    lossy.loss = probability(p);
    NicPair pair(nic, lossy, NicPair::wire_defaults(), 3, 1024, 600ns, transport);
    const int messages = p == 0 ? 100 : 20'000;
    int posted = 0;
    const auto post = [&] {
      pair.post({.length = 4_KiB});
      pair.ring();
      ++posted;
    };
    pair.near_memory.fails = [&](const Transfer& transfer) {
      if (transfer.stage == Stage::cqe_write && posted < messages) post();
      return false;
    };
    post();
    pair.bench.run();
    pair.check_books();
    CHECK(pair.near.stats().timeouts == pair.forth.stats().lost);
    const auto form = formulas::one_outstanding(nic, transport, NicPair::wire_defaults(), infiniband_overhead, 4_KiB, 600ns);
    if (p == 0) CHECK(pair.bench.now() == messages * form.undisturbed);
    CHECK(static_cast<double>(pair.bench.now().count()) / messages ==
          doctest::Approx(form.picoseconds_per_message(p)).epsilon(0.03));
  }
}

TEST_CASE("formulas: go-back-N with the NAK's term the largest: within 3 %") {
  const formulas::GoBackN form = closed_form(2);
  for (const double p : {0.01, 0.03}) {
    CAPTURE(p);
    CHECK(measured(p, 2, 30'000).per_packet == doctest::Approx(form.picoseconds_per_packet(p)).epsilon(0.03));
  }
}

TEST_CASE("formulas: a stream of large puts runs at the payload rate, with either link layer's headers") {
  for (const char* protocol : {"infiniband", "rocev2"}) {
    CAPTURE(std::string(protocol));
    const schema::Scenario s = scenario({{"pattern", "put_bw"}, {"bytes", "4 MiB"}, {"iterations", "40"},
                                         {"link.protocol", protocol}, {"warmup", "4"}});
    const auto& pair = s.system.nodes[0].pairs[0];
    const PacketOverhead overhead =
        pair.nic_link.protocol == link::Protocol::rocev2 ? rocev2_overhead : infiniband_overhead;
    const double rate = formulas::payload_rate(pair.nic_link, overhead, pair.nic.mtu);
    CHECK(record(simulate(s), Quantity::bandwidth).value * 1e9 == doctest::Approx(rate).epsilon(0.005));
  }
}

}  // namespace
}  // namespace gicsim
