// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// An egress port that its ingress ports share by turns.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "models/base/random.h"
#include "models/pcie/link.h"
#include "tests/support/bench.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"

namespace gicsim::pcie {
namespace {

struct Ingress final : TlpSource {
  void release(const Tlp&, Picoseconds) override {}
};

/// A link out of a switch with two ingress ports. Gen1 x16 carries a byte in 250 ps: a write of 8 B takes 8 ns.
struct Egress {
  LinkParams params{.generation = 1, .lanes = 16};
  Bench bench;
  Probe<TlpSent> sent;
  Link& link;
  TlpLog log{bench.kernel};
  Script script{bench.kernel};
  std::deque<Transfer> transfers;
  Ingress ports[2];

  explicit Egress(Arbitration how, Count headers = 128)
      : params{.generation = 1, .lanes = 16, .posted_headers = headers},
        link(bench.add_named<Link>("link", params, Kernel::Lane{1}, sent)) {
    link.out.bind(log);
    link.arbitrate(how);
  }
  void send(int port, Picoseconds at, TlpKind kind = TlpKind::write, Bytes length = 8_B) {
    script.at(at, [this, port, kind, length] {
      link.in->send({.kind = kind, .last = true, .tag = static_cast<std::uint16_t>(port), .length = length,
                     .transfer = &transfers.emplace_back(), .held = &ports[port]},
                    bench.now());
    });
  }
  /// Of each TLP that arrived, in order, the port that it came in by.
  std::string ran() {
    bench.run();
    std::string order;
    for (const auto& one : log.all) order += one.tlp.tag == 0 ? 'a' : 'b';
    return order;
  }
};

TEST_CASE("arbitration: by arrival a late TLP waits for all before it, by turns for the one that has the lanes") {
  for (const Arbitration how : {Arbitration::arrival, Arbitration::round_robin}) {
    Egress egress(how);
    for (int i = 0; i < 5; ++i) egress.send(0, 0ns);
    egress.send(1, 1ns);
    CHECK(egress.ran() == (how == Arbitration::arrival ? "aaaaab" : "abaaaa"));
    const std::vector<Picoseconds> times{80ns, 88ns, 96ns, 104ns, 112ns, 120ns};  // the lanes never rest
    CHECK(egress.log.times() == times);
  }
}

TEST_CASE("arbitration: two ports with work share a link TLP for TLP, however deep one's queue is") {
  Egress egress(Arbitration::round_robin);
  for (int i = 0; i < 12; ++i) egress.send(0, 0ns);
  for (int i = 0; i < 4; ++i) egress.send(1, 4ns + 16ns * i);  // one at a time
  CHECK(egress.ran() == "abababab" "aaaaaaaa");
}

TEST_CASE("arbitration: a port that rested has no turns to make up") {
  Egress egress(Arbitration::round_robin);
  for (int i = 0; i < 20; ++i) egress.send(0, 0ns);
  for (int i = 0; i < 3; ++i) egress.send(1, 81ns);  // the eleventh is on the lanes
  CHECK(egress.ran() == "aaaaaaaaaaa" "bababa" "aaaaaa");
}

TEST_CASE("arbitration: one port alone has the times that it has by arrival") {
  std::vector<Picoseconds> times[2];
  for (const Arbitration how : {Arbitration::arrival, Arbitration::round_robin}) {
    Egress egress(how, 4);
    RandomStream random(7, "arbitration");
    Picoseconds at{};
    for (int i = 0; i < 400; ++i) {
      const auto kind = random.below(3) == 0 ? TlpKind::read : TlpKind::write;
      at += Picoseconds{static_cast<std::int64_t>(random.below(40'000))};
      egress.send(0, at, kind, Bytes(static_cast<std::int64_t>(4 + 4 * random.below(60))));
    }
    egress.bench.run();
    times[how == Arbitration::round_robin] = egress.log.times();
  }
  CHECK(times[0] == times[1]);
  CHECK(times[0].size() == 400);
}

TEST_CASE("arbitration: a turn doesn't break the ordering rules: what a write holds up stays behind it") {
  Egress egress(Arbitration::round_robin, 1);  // one write is with the receiver, and stays there
  egress.log.keep = true;
  egress.send(0, 0ns);
  egress.send(0, 1ns);                 // lacks its credit
  egress.send(0, 2ns, TlpKind::read);  // must not pass it
  egress.send(1, 3ns, TlpKind::completion);
  egress.bench.run_through(1us);
  CHECK(egress.log.all.size() == 2);
  CHECK(egress.log.all.back().tlp.kind == TlpKind::completion);
}

TEST_CASE("pcie link: an endpoint's completion credits are infinite, a switch's are as its parameters say") {
  LinkParams params{.generation = 1, .lanes = 16, .completion_headers = 1};
  for (const Far far : {Far::endpoint, Far::forwards}) {
    Bench bench;
    Probe<TlpSent> sent;
    Link& link = bench.add_named<Link>("link", params, Kernel::Lane{1}, sent, far);
    TlpLog log{bench.kernel};
    log.keep = true;
    link.out.bind(log);
    Script script(bench.kernel);
    std::deque<Transfer> transfers;
    script.at(0ns, [&] {
      for (int i = 0; i < 3; ++i)
        link.in->send({.kind = TlpKind::completion, .length = 64_B, .transfer = &transfers.emplace_back()}, bench.now());
    });
    bench.run_through(1us);
    CHECK(log.all.size() == (far == Far::endpoint ? 3 : 1));
  }
}

}  // namespace
}  // namespace gicsim::pcie
