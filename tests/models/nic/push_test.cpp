// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/models/nic/fixture.h"

namespace gicsim::nic {
namespace {

void push(Fixture& f, Content content, Bytes length, Address offset, Picoseconds at) {
  f.script.at(at, [&f, content, length, offset] {
    Transfer& transfer = f.rings.emplace_back();
    transfer.address = f.nic.doorbell_address() + offset;
    transfer.length = length;
    transfer.content = content;
    f.nic.target->on_write(transfer, f.bench.now());
  });
}

TEST_CASE("nic: a WQE pushed whole isn't fetched") {
  Fixture f;
  const auto qpn = f.make();
  push(f, f.wqe(qpn, 0), 64_B, 0, 1us);
  f.bench.run();
  CHECK(f.dma.reads.empty());
  CHECK(f.nic.stats().pushed == 1);
  CHECK(f.nic.stats().partial_pushes == 0);
  REQUIRE(f.wire.all.size() == 1);
  CHECK(f.wire.all[0].at == 1us + 150ns + 100ns + 300ns);
}

TEST_CASE("nic: one that comes in pieces is a doorbell by its first, and is fetched") {
  Fixture f;
  const auto qpn = f.make();
  f.write(f.wqe(qpn, 0));
  push(f, f.wqe(qpn, 0), 16_B, 0, 1us);
  for (const Address at : {16, 32, 48}) push(f, {}, 16_B, at, 1us);
  f.bench.run();
  REQUIRE(f.dma.reads.size() == 1);
  CHECK(f.dma.reads[0].at == 1us + 150ns);
  CHECK(f.nic.stats().pushed == 0);
  CHECK(f.nic.stats().partial_pushes == 1);
  CHECK(f.nic.stats().push_pieces == 3);
  CHECK(f.nic.stats().doorbells == 1);
  CHECK(f.nic.stats().unclaimed == 0);
  REQUIRE(f.wire.all.size() == 1);
  CHECK(f.wire.all[0].at == 1us + 150ns + 600ns + 100ns + 300ns);
}

TEST_CASE("nic: of a longer one only the last whole line tells") {
  Fixture f;
  const auto qpn = f.make();
  push(f, {}, 64_B, 64, 1us);
  push(f, f.wqe(qpn, 0, 76_B), 64_B, 0, 1001ns);
  f.bench.run();
  CHECK(f.dma.reads.empty());
  CHECK(f.nic.stats().pushed == 1);
  CHECK(f.nic.stats().push_pieces == 1);
}

}  // namespace
}  // namespace gicsim::nic
