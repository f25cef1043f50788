// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/models/nic/fixture.h"

namespace gicsim::nic {
namespace {

TEST_CASE("nic: from a doorbell to the packet, each step at its time") {
  Fixture f;
  const auto qpn = f.make();
  f.write(f.wqe(qpn, 0));
  f.ring(qpn, 1, 1us);
  f.bench.run_through(1150ns - 1_ps);
  CHECK(f.dma.reads.empty());
  f.bench.run();
  REQUIRE(f.dma.reads.size() == 1);
  CHECK(f.dma.reads[0].stage == Stage::wqe_read);
  CHECK(f.dma.reads[0].address == Fixture::ring_of(qpn));
  CHECK(f.dma.reads[0].length == 64_B);
  CHECK(f.dma.reads[0].at == 1us + 150ns);
  REQUIRE(f.wire.all.size() == 1);
  CHECK(f.wire.all[0].at == 1us + 150ns + 600ns + 100ns + 300ns);  // doorbell, read, decode, tx
  CHECK(f.nic.stats().doorbells == 1);
  CHECK(f.nic.stats().wqes == 1);
}

TEST_CASE("nic: doorbells that come together are taken one after another") {
  Fixture f;
  const auto a = f.make(), b = f.make();
  f.write(f.wqe(a, 0));
  f.write(f.wqe(b, 0));
  f.ring(a, 1);
  f.ring(b, 1);
  f.bench.run();
  CHECK(Dma::times(f.dma.reads) == Times{150ns, 152ns});
}

TEST_CASE("nic: a queue pair's fetch window bounds its rate to window / round trip") {
  for (const Count window : {1, 2, 4, 16}) {
    NicParams params = Fixture::defaults();
    params.qp_window = window;
    params.fetch_batch = 1;
    Fixture f(params);
    const auto qpn = f.make();
    f.write_all(qpn, 64);
    f.ring(qpn, 64);
    f.bench.run();
    REQUIRE(f.dma.reads.size() == 64);
    for (Count n = 0; n < 64; ++n)
      REQUIRE(f.dma.reads[static_cast<std::size_t>(n)].at == 150ns + n / window * 600ns);
    CHECK(f.nic.stats().window_peak == window);
    CHECK(f.nic.stats().window_time == 64 * 600ns);
  }
}

TEST_CASE("nic: the NIC's own window holds over all queue pairs, which take turns") {
  NicParams params = Fixture::defaults();
  params.qp_window = 16;
  params.nic_window = 6;
  params.fetch_batch = 1;
  params.doorbell_gap = 0ns;
  Fixture f(params);
  for (int i = 0; i < 3; ++i) f.write_all(f.make(), 20);
  for (std::uint32_t qpn = 1; qpn <= 3; ++qpn) f.ring(qpn, 20);
  f.bench.run();
  REQUIRE(f.dma.reads.size() == 60);
  for (Count n = 0; n < 60; ++n) REQUIRE(f.dma.reads[static_cast<std::size_t>(n)].at == 150ns + n / 6 * 600ns);
  int fetches[4] = {};  // after the first doorbell has had the window for itself
  for (int n = 6; n < 30; ++n) ++fetches[f.dma.reads[static_cast<std::size_t>(n)].address >> 24];
  for (int qpn = 1; qpn <= 3; ++qpn) CHECK(fetches[qpn] == 8);
  CHECK(f.nic.stats().window_peak == 6);
}

TEST_CASE("nic: one read fetches a batch, and no more than the limit") {
  for (const auto& [limit, reads] : {std::pair{16, 1}, {8, 1}, {4, 2}, {3, 3}, {1, 8}}) {
    NicParams params = Fixture::defaults();
    params.fetch_batch = limit;
    Fixture f(params);
    const auto qpn = f.make();
    f.write_all(qpn, 8);
    f.ring(qpn, 8);
    f.bench.run();
    CHECK(static_cast<int>(f.dma.reads.size()) == reads);
    Bytes fetched;
    for (const auto& read : f.dma.reads) fetched += read.length;
    CHECK(fetched == 512_B);
    CHECK(f.nic.stats().fetches == reads);
    CHECK(f.nic.stats().wqes == 8);
    CHECK(f.wire.all.size() == 8);
  }
}

TEST_CASE("nic: an inline WQE of three units wraps at the ring's end") {
  Fixture f;
  const auto qpn = f.make(4);
  f.write_all(qpn, 3);
  f.ring(qpn, 3);
  f.script.at(5us, [&] { f.write(f.wqe(qpn, 3, 100_B)); });
  f.ring(qpn, 6, 5us);
  f.bench.run();
  REQUIRE(f.dma.reads.size() == 3);
  CHECK(f.dma.reads[1].address == Fixture::ring_of(qpn) + 3 * 64);
  CHECK(f.dma.reads[1].length == 64_B);
  CHECK(f.dma.reads[2].address == Fixture::ring_of(qpn));
  CHECK(f.dma.reads[2].length == 128_B);
  REQUIRE(f.wire.all.size() == 4);
  CHECK(f.wire.all[3].packet.payload == 100_B);
  CHECK(f.nic.stats().stale == 0);
  CHECK(f.nic.stats().payload_reads == 0);
}

TEST_CASE("nic: 64 B units of a WQE, by payload") {
  CHECK(wqe_units(true, 1_B) == 1);
  CHECK(wqe_units(true, 28_B) == 1);
  CHECK(wqe_units(true, 29_B) == 2);
  CHECK(wqe_units(true, 92_B) == 2);
  CHECK(wqe_units(true, 93_B) == 3);
  CHECK(wqe_units(true, 220_B) == 4);
  CHECK(wqe_units(false, 1_GiB) == 1);
}

TEST_CASE("nic: a WQE that was read before it was visible is kept for the checker") {
  Fixture f;
  const auto qpn = f.make(4);
  f.write(f.wqe(qpn, 0), 2us);  // the read sees the ring at 150 + 300 ns
  f.ring(qpn, 1);
  f.bench.run();
  CHECK(f.wire.all.empty());
  REQUIRE(f.nic.stale_fetches().size() == 1);
  const StaleFetch& stale = f.nic.stale_fetches()[0];
  CHECK(stale.nic == "nic");
  CHECK(stale.qpn == qpn);
  CHECK(stale.index == 0);
  CHECK(stale.read == 450ns);
  CHECK(stale.visible == 2us);
}

TEST_CASE("nic: the previous lap's WQE is stale as well, and so is a slot never written") {
  Fixture f;
  const auto qpn = f.make(4);
  f.write_all(qpn, 4);
  f.ring(qpn, 4);
  f.ring(qpn, 5, 5us);  // index 4 lies in slot 0, where index 0 is
  f.bench.run();
  CHECK(f.nic.stats().wqes == 4);
  REQUIRE(f.nic.stale_fetches().size() == 1);
  CHECK(f.nic.stale_fetches()[0].index == 4);
  CHECK(f.nic.stale_fetches()[0].visible == 0ns);
}

TEST_CASE("nic: a doorbell that no queue pair claims moves nothing, and is said") {
  Fixture f;
  f.make();
  f.ring(2, 1);
  f.ring(Content(std::uint64_t{0}), 1us);
  f.ring(Content{}, 2us);
  f.bench.run();
  CHECK(f.dma.reads.empty());
  CHECK(f.nic.stats().unclaimed == 2);
  CHECK(f.nic.stats().push_pieces == 1);  // without content: a part of a WQE that doesn't come with its doorbell
  CHECK(f.nic.stats().doorbells == 0);
  REQUIRE(f.nic.unclaimed().size() == 2);
  CHECK(f.nic.unclaimed()[0].value == (std::uint64_t{2} << 32 | 1));
  CHECK(f.nic.unclaimed()[1].at == 1us);
}

TEST_CASE("nic: a WQE pushed with its doorbell needs no read") {
  Fixture f;
  const auto qpn = f.make();
  f.ring(Content(f.wqe(qpn, 0)), 0ns);
  f.bench.run();
  CHECK(f.dma.reads.empty());
  CHECK(f.wire.times() == Times{150ns + 100ns + 300ns});
  CHECK(f.nic.stats().pushed == 1);
}

TEST_CASE("nic: a pushed WQE behind one in fetch is fetched too, in order") {
  Fixture f;
  const auto qpn = f.make();
  f.write_all(qpn, 2);
  f.ring(qpn, 1);
  f.ring(Content(f.wqe(qpn, 1)), 100ns);
  f.bench.run();
  CHECK(Dma::times(f.dma.reads) == Times{150ns, 250ns});
  REQUIRE(f.wire.all.size() == 2);
  CHECK(f.wire.all[0].packet.wqe->index == 0);
  CHECK(f.wire.all[1].packet.wqe->index == 1);
  CHECK(f.nic.stats().pushed == 0);
}

}  // namespace
}  // namespace gicsim::nic
