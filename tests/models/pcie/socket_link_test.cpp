// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/socket_link.h"

#include <doctest/doctest.h>

#include "models/base/errors.h"
#include "tests/support/bench.h"
#include "tests/support/pcie.h"
#include "tests/support/script.h"

namespace gicsim::pcie {
namespace {

constexpr Address memory = 0x1000;  // below: host memory

bool peer(const Tlp& tlp) { return tlp.address >= memory; }

/// 2 ps a byte on the wires, 8 ps a byte of payload between devices.
struct Sockets {
  SocketLinkParams params{
      .latency = 15ns, .rate = 4000_Gbps, .peer_rate = 1000_Gbps, .peer_read = 800ns, .overhead = 16_B};
  Bench bench;
  Probe<TlpSent> sent;
  SocketLink& link{bench.add_named<SocketLink>("upi0to1", params, peer, Kernel::Lane{1}, sent)};
  TlpLog log{bench.kernel};
  Script script{bench.kernel};
  std::deque<Transfer> transfers;
  Sockets() { link.out.bind(log); }
  void send(Picoseconds at, TlpKind kind, Bytes length, Address address) {
    script.at(at, [this, kind, length, address] {
      link.in->send(
          {.kind = kind, .last = true, .length = length, .address = address, .transfer = &transfers.emplace_back()},
          bench.now());
    });
  }
};

TEST_CASE("socket link: memory traffic takes header and payload at the wires' rate, then the latency") {
  Sockets s;
  s.send(0ns, TlpKind::write, 64_B, 0);
  s.send(0ns, TlpKind::read, 64_B, 0);
  s.bench.run();
  CHECK(s.log.times() == std::vector<Picoseconds>{160_ps + 15ns, 192_ps + 15ns});
  CHECK(s.link.stats().peer_requests == 0);
  CHECK(s.link.stats().peer_busy == 0_ps);
  CHECK(s.link.stats().wire == 96_B);
  s.link.check_books();
}

TEST_CASE("socket link: between devices payload goes at the peers' rate first") {
  Sockets s;
  s.send(0ns, TlpKind::write, 256_B, memory);
  s.send(0ns, TlpKind::write, 256_B, memory);
  s.bench.run();
  CHECK(s.log.times() == std::vector<Picoseconds>{2048_ps + 544_ps + 15ns, 4096_ps + 544_ps + 15ns});
  CHECK(s.link.stats().peer_busy == 4096_ps);
  CHECK(s.link.stats().busy == 1088_ps);
}

TEST_CASE("socket link: memory traffic waits behind that of devices, in order") {
  Sockets s;
  s.send(0ns, TlpKind::write, 256_B, memory);
  s.send(1ns, TlpKind::write, 64_B, 0);
  s.bench.run();
  CHECK(s.log.times() == std::vector<Picoseconds>{2592_ps + 15ns, 2752_ps + 15ns});
}

TEST_CASE("socket link: a device's read of another takes longer, and a write passes it") {
  Sockets s;
  s.send(0ns, TlpKind::read, 64_B, memory);
  s.send(10ns, TlpKind::write, 64_B, memory);
  s.bench.run();
  REQUIRE(s.log.all.size() == 2);
  CHECK(s.log.all[0].tlp.kind == TlpKind::write);
  CHECK(s.log.all[0].at == 10ns + 512_ps + 160_ps + 15ns);
  CHECK(s.log.all[1].tlp.kind == TlpKind::read);
  CHECK(s.log.all[1].at == 32_ps + 15ns + 800ns);
}

TEST_CASE("socket link: what is still inside is missed in the books") {
  Sockets s;
  s.send(0ns, TlpKind::write, 64_B, 0);
  s.bench.run_through(1ns);
  CHECK_THROWS_WITH_AS(s.link.check_books(), "upi0to1 @ 1 ns: 1 TLPs still inside", ModelError);
  s.bench.run();
  s.link.check_books();
}

}  // namespace
}  // namespace gicsim::pcie
