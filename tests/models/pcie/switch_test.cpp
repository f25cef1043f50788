// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/switch.h"

#include <doctest/doctest.h>

#include "models/base/errors.h"
#include "models/pcie/conduit.h"
#include "tests/support/bench.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"

namespace gicsim::pcie {
namespace {

TEST_CASE("pcie switch: requests by address, completions by requester, the rest upstream") {
  const Picoseconds latency = 105ns;
  Bench bench;
  Switch& at = bench.add_named<Switch>("switch", latency, 3);
  TlpTray ports[3];
  for (int i = 0; i < 3; ++i) at.out[static_cast<std::size_t>(i)].bind(ports[i]);
  CHECK(at.next_port() == 0);
  CHECK(at.next_port() == 1);
  at.route_address(0x1000, 0x1000, 0);
  at.route_address(0x2000, 0x1000, 1);
  at.route_requester(5, 1);
  at.route_upstream(2);
  Script script(bench.kernel);
  const auto goes_to = [&](const Tlp& tlp) {
    script.at(bench.now() + 10ns, [&, tlp] { at.in[0]->arrive(tlp); });
    bench.run();
    int port = -1;
    for (int i = 0; i < 3; ++i)
      if (!ports[i].all.empty()) {
        CHECK(port == -1);
        CHECK(ports[i].all.front().ready == bench.now() + latency);
        ports[i].all.clear();
        port = i;
      }
    return port;
  };
  CHECK(goes_to({.kind = TlpKind::write, .address = 0x1000}) == 0);
  CHECK(goes_to({.kind = TlpKind::read, .address = 0x1fff}) == 0);
  CHECK(goes_to({.kind = TlpKind::read, .address = 0x2000}) == 1);
  CHECK(goes_to({.kind = TlpKind::write, .address = 0x3000}) == 2);
  CHECK(goes_to({.kind = TlpKind::write, .address = 0xfff}) == 2);
  CHECK(goes_to({.kind = TlpKind::completion, .requester = 5, .address = 0x1000}) == 1);
  CHECK(goes_to({.kind = TlpKind::completion, .requester = 4, .address = 0x1000}) == 2);
  CHECK(at.stats().tlps == 7);
}

TEST_CASE("pcie switch: without a way upstream, an address that nobody claims is an error") {
  const Picoseconds latency = 50ns;
  Bench bench;
  Switch& at = bench.add_named<Switch>("root", latency, 1);
  TlpTray port;
  at.out[0].bind(port);
  at.route_address(0, 0x1000, 0);
  bench.run();
  CHECK_THROWS_WITH_AS(at.in[0]->arrive({.kind = TlpKind::read, .address = 0x1000}),
                       "root @ 0 ns: MRd: no window claims the address", ModelError);
}

struct Coherent {
  CoherentParams params{.rate = 3200_Gbps, .latency = 150ns, .overhead = 16_B, .ordered_write = 550ns};
  Bench bench;
  Probe<TlpSent> sent;
  Conduit& conduit;
  TlpLog log{bench.kernel};
  Script script{bench.kernel};
  std::deque<Transfer> transfers;
  explicit Coherent(bool wires = true)
      : conduit(bench.add_named<Conduit>("c2c", static_cast<const CoherentParams*>(wires ? &params : nullptr),
                                         Kernel::Lane{1}, sent)) {
    conduit.out.bind(log);
  }
  void send(TlpKind kind, Bytes length, bool ordered = false) {
    script.at(0ns, [this, kind, length, ordered] {
      Transfer& transfer = transfers.emplace_back();
      transfer.ordered = ordered;
      conduit.in->send({.kind = kind, .last = true, .length = length, .transfer = &transfer}, bench.now());
    });
  }
};

TEST_CASE("conduit: a request is its header, data follow at the link's rate") {
  Coherent c;  // 2.5 ps a byte
  c.send(TlpKind::read, 4_KiB);
  c.send(TlpKind::write, 64_B);
  c.send(TlpKind::completion, 4_KiB);
  c.bench.run();
  CHECK(c.log.times() == std::vector<Picoseconds>{150'040_ps, 150'240_ps, 160'520_ps});
}

TEST_CASE("conduit: a write that must stay ordered is visible later, what follows passes it") {
  Coherent c;
  c.send(TlpKind::write, 64_B, true);
  c.send(TlpKind::write, 64_B);
  c.bench.run();
  CHECK(c.log.times() == std::vector<Picoseconds>{150'400_ps, 700'200_ps});
  CHECK(c.log.all[1].tlp.transfer->ordered);
}

TEST_CASE("conduit: without parameters it takes no time, ordered or not") {
  Coherent c(false);
  c.send(TlpKind::write, 64_B, true);
  c.send(TlpKind::read, 64_B);
  c.bench.run();
  CHECK(c.log.times() == std::vector<Picoseconds>{0ns, 0ns});
}

}  // namespace
}  // namespace gicsim::pcie
