// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/models/nic/fixture.h"

namespace gicsim::nic {
namespace {

struct Engine : Fixture {
  FetchParams fetch;
  ContextParams contexts;
  explicit Engine(FetchParams p, NicParams params = defaults()) : Fixture(params), fetch(p) {
    nic.equip(fetch, contexts, Address{1} << 40);
  }
  std::size_t wqe_reads() const {
    std::size_t n = 0;
    for (const Dma::Access& read : dma.reads) n += read.stage == Stage::wqe_read;
    return n;
  }
};

NicParams scanning() {
  NicParams params = Fixture::defaults();
  params.fetch = FetchMode::periodic_scan;
  return params;
}

TEST_CASE("fetch engine: a doorbell that finds the FIFO full keeps its credits until one before it is taken") {
  NicParams params = Fixture::defaults();
  params.doorbell_gap = 10ns;
  Engine f({.fifo = 2}, params);
  f.make();
  Target& bar = *f.nic.target.operator->();
  std::vector<Picoseconds> room;
  f.script.at(0ns, [&] {
    for (int i = 0; i < 5; ++i) {
      Transfer& transfer = f.rings.emplace_back();
      transfer.address = f.nic.doorbell_address();
      transfer.content = std::uint64_t{1} << 32;
      room.push_back(bar.accept(transfer, 8_B, 0ns));
      bar.on_write(transfer, 0ns);
    }
  });
  f.bench.run();
  CHECK(room == std::vector<Picoseconds>{0ns, 0ns, 0ns, 10ns, 20ns});  // the first is taken at once
  CHECK(f.nic.fetch_stats().fifo_full == 2);
  CHECK(f.nic.fetch_stats().fifo_wait == 30ns);
}

TEST_CASE("fetch engine: no more WQEs are fetched ahead of sending than it may") {
  Engine f({.prefetch = 4});
  const auto qpn = f.make();
  f.write(f.read(qpn, 0, 8_B));
  for (std::uint32_t i = 1; i < 40; ++i) f.write(f.read(qpn, i, 8_B));
  f.ring(qpn, 40);
  f.bench.run_through(20us);
  CHECK(f.wire.all.size() == 16);                      // max_rd_atomic
  CHECK(f.nic.stats().wqes == 16 + 4);
}

TEST_CASE("fetch engine: a doorbell that points to a descriptor costs one more read") {
  const auto sent_at = [](DoorbellValue value, std::size_t reads) {
    Engine f({.doorbell = value});
    const auto qpn = f.make();
    f.write(f.wqe(qpn, 0));
    f.ring(qpn, 1);
    f.bench.run();
    REQUIRE(f.wire.all.size() == 1);
    CHECK(f.wqe_reads() == reads);
    return f.wire.all[0].at;
  };
  CHECK(sent_at(DoorbellValue::pointer, 2) == sent_at(DoorbellValue::index, 1) + 600ns);
}

TEST_CASE("periodic scan: WQEs wait for the next scan") {
  Engine f({.scan_period = 400ns}, scanning());
  const auto qpn = f.make();
  f.write(f.wqe(qpn, 0));
  f.ring(qpn, 1, 500ns);
  f.bench.run();
  REQUIRE(f.dma.reads.size() == 1);
  CHECK(f.dma.reads[0].at == 800ns);  // the doorbell is there at 650 ns
  CHECK(f.nic.fetch_stats().scans == 1);
  CHECK(f.nic.fetch_stats().dropped == 0);
}

TEST_CASE("periodic scan: what is more than it can take is dropped, what comes after isn't, and a counter tells") {
  Engine f({.scan_take = 4}, scanning());
  f.acknowledges = 500ns;
  const auto qpn = f.make();
  f.write_all(qpn, 12);
  f.ring(qpn, 10, 0ns);
  f.ring(qpn, 12, 5us);
  f.bench.run();
  CHECK(f.nic.fetch_stats().dropped == 6);
  CHECK(f.nic.stats().wqes == 6);
  REQUIRE(f.wire.all.size() == 6);
  CHECK(f.wire.all[4].packet.wqe->index == 10);
  f.nic.check_books();
  std::vector<std::string> lines;
  f.nic.unfinished(lines);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("dropped 6 units") != std::string::npos);
}

}  // namespace
}  // namespace gicsim::nic
