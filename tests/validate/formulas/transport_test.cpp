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

/// Picoseconds a packet of `packets` writes of 4 KiB, loss on the way there.
double measured(double p, Count exponent, int packets) {
  nic::NicParams nic = NicPair::nic_defaults();
  nic.transmit_buffer = 32_KiB;  // enough for the wire, not so much that a queue stands in front of it
  nic.ack_timeout = exponent;
  link::WireParams lossy = NicPair::wire_defaults();
  lossy.loss = probability(p);
  NicPair pair(nic, lossy, NicPair::wire_defaults(), 7, 32'768);
  for (int i = 0; i < packets; ++i) pair.post({.signaled = i + 1 == packets, .length = 4_KiB});
  pair.ring();
  pair.bench.run();
  pair.check_books();
  CHECK(pair.near.stats().cqes == 1);
  CHECK(pair.far.stats().packets_received == packets);
  return static_cast<double>(pair.bench.now().count()) / packets;
}

double expected(double p, Count exponent) {
  nic::NicParams nic = NicPair::nic_defaults();
  nic.ack_timeout = exponent;
  return formulas::go_back_n(nic, NicPair::wire_defaults(), infiniband_overhead, 4_KiB, 600ns)
      .picoseconds_per_packet(p);
}

TEST_CASE("formulas: goodput under loss is t + p t_NAK + p^2 T_o, whichever term is the largest") {
  struct Point {
    double p;
    Count exponent;
    int packets;
    double tolerance;
  };
  // t = 166 ns; t_NAK = 2.2 us; T_o = 4.096 us x 2^n
  for (const Point& point : {Point{0, 14, 20'000, 0.001}, Point{1e-3, 2, 30'000, 0.01},
                             Point{0.2, 1, 20'000, 0.03}, Point{0.05, 9, 20'000, 0.15}}) {
    CAPTURE(point.p);
    CAPTURE(point.exponent);
    const double should = expected(point.p, point.exponent), is = measured(point.p, point.exponent, point.packets);
    CAPTURE(should);
    CAPTURE(is);
    CHECK(is == doctest::Approx(should).epsilon(point.tolerance));
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
