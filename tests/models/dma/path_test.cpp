// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/support/dma_rig.h"

/// A DMA device, its link, the root complex and host memory: closed forms to the picosecond.
namespace gicsim {
namespace {

constexpr Address page = 4096;

/// Time of so many bytes on eight lanes of 8 GT/s, coded 128b/130b, rounded up.
Picoseconds on_lanes(Bytes length) { return length / pcie::rate({.generation = 3, .lanes = 8}); }

Picoseconds time_of(const DmaRig::Params& params, dma::Kind kind, Bytes length, Address at = 0, bool warm = true) {
  DmaRig rig(params);
  if (warm) rig.host.warm(at, length);
  rig.submit(kind, at, length);
  rig.run();
  return rig.ends.front();
}

TEST_CASE("dma path: a read is issue, request, two ways through the root complex, memory, completion and store") {
  const DmaRig::Params p;
  for (const Bytes length : {4_B, 64_B, 256_B}) {
    const Picoseconds store = pieces(length, 64_B) * Picoseconds(8ns);  // at 8 B/ns
    const Picoseconds there = 50ns + on_lanes(24_B) + 72ns + 100ns, back = 100ns + on_lanes(length + 20_B) + 72ns + store;
    CHECK(time_of(p, dma::Kind::read, length) == there + 50ns + back);
    const Bytes lines = pieces(length, 64_B) * 64_B;
    CHECK(time_of(p, dma::Kind::read, length, 0, false) == there + lines / p.host.dram_rate + 107ns + back);
  }
}

TEST_CASE("dma path: each term of a read stands in its ledger, and they add up") {
  const DmaRig::Params p;
  DmaRig rig(p);
  Ledger ledger;
  ledger.start(0ns);
  rig.host.warm(0, 64_B);
  rig.submit(dma::Kind::read, 0, 64_B, &ledger);
  rig.run();
  const std::vector<std::pair<std::string, Picoseconds>> terms{
      {"dma0", 50ns}, {"up", on_lanes(24_B) + 72ns},   {"root", 100ns}, {"host_port", 50ns},
      {"root", 100ns}, {"down", on_lanes(84_B) + 72ns}, {"dma0", 8ns}};
  REQUIRE(ledger.entries().size() == terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    CHECK(ledger.entries()[i].at == terms[i].first);
    CHECK(ledger.entries()[i].time == terms[i].second);
  }
  CHECK(ledger.total() == rig.ends.front());
}

TEST_CASE("dma path: a read behind a write of its own waits until that is committed") {
  DmaRig::Params p;
  p.host.write_commit = 106ns;
  const Picoseconds ahead = 30ns + 8ns;  // fetch, and the path out
  const Picoseconds write = on_lanes(88_B), read = on_lanes(112_B) - write;
  const Picoseconds waits = 106ns - read;
  CHECK(time_of(p, dma::Kind::write_read, 64_B) == time_of(p, dma::Kind::read, 64_B) - on_lanes(24_B) + ahead + write + read + waits);
}

TEST_CASE("dma path: writes of one size go as fast as their TLPs on the lanes, or as the engine makes them") {
  DmaRig::Params p;
  p.dma.rate = p.dma.memory_rate = 640_Gbps;
  p.dma.write_interval = 0ns;
  DmaRig rig(p);
  for (Address i = 0; i < 200; ++i) rig.submit(dma::Kind::write, i * 256, 256_B);
  rig.run();
  const auto steady = rig.ends[199] - rig.ends[99];
  CHECK(std::abs((steady - on_lanes(100 * 280_B)).count()) <= 1);
}

TEST_CASE("dma path: an IO-TLB miss adds the walk's four accesses, a hit nothing") {
  DmaRig::Params p;
  const Picoseconds plain = time_of(p, dma::Kind::read, 64_B);
  p.iommu.mode = host::IommuMode::translate;
  DmaRig rig(p);
  Ledger first, second;
  rig.host.warm(0, 64_B);
  rig.iommu.warm_tables(0, 4_KiB);
  first.start(0ns);
  rig.submit(dma::Kind::read, 0, 64_B, &first);
  rig.run();
  second.start(rig.bench.now());
  rig.submit(dma::Kind::read, 0, 64_B, &second);
  rig.run();
  CHECK(first.total() == plain + 4 * Picoseconds(50ns));
  CHECK(second.total() == plain);
  CHECK(first.entries()[2].at == std::string("iommu"));
}

TEST_CASE("dma path: with ATS a page is translated once; then requests pass the IOMMU unseen") {
  DmaRig::Params p;
  p.iommu.mode = host::IommuMode::translate;
  p.ats.ats = pcie::AtsMode::on;
  const Picoseconds plain = time_of({}, dma::Kind::read, 64_B);
  DmaRig rig(p);
  rig.host.warm(0, 2 * Bytes(page));
  rig.iommu.warm_tables(0, 8_KiB);
  Ledger first, second;
  first.start(0ns);
  rig.submit(dma::Kind::read, page, 64_B, &first);
  rig.run();
  second.start(rig.bench.now());
  rig.submit(dma::Kind::read, page + 64, 64_B, &second);
  rig.run();
  // Request, walk, completion of 8 B: up to the root complex and back, not through to memory. Its Ack goes before the read.
  const Picoseconds translation = on_lanes(24_B) + 72ns + 200ns + 100ns + on_lanes(28_B) + 72ns + on_lanes(8_B);
  CHECK(first.total() == plain + translation);
  CHECK(second.total() == plain);
  CHECK(rig.iommu.stats().translations == 1);
  CHECK(rig.iommu.stats().translated == 2);
  CHECK(rig.iommu.stats().requests == 0);
}

/// Bytes a nanosecond of reads of 512 B anywhere in 64 MiB.
double rate_of(const DmaRig::Params& params, int warmup, int count) {
  DmaRig rig(params);
  rig.host.warm(0, 64_MiB);
  rig.iommu.warm_tables(0, 64_MiB);
  dma::Addresses anywhere(0, 64_MiB, 512_B, dma::Addresses::Order::random, 1, "a");
  for (int i = 0; i < warmup + count; ++i) rig.submit(dma::Kind::read, anywhere.next(), 512_B);
  rig.run();
  const auto from = static_cast<std::size_t>(warmup - 1), to = rig.ends.size() - 1;
  return 512.0 * count * 1000 / static_cast<double>((rig.ends[to] - rig.ends[from]).count());
}

TEST_CASE("dma path: nested walks bind a virtual machine's device; with its own translations it is as on bare metal") {
  const double bare = rate_of({}, 500, 1000);
  DmaRig::Params vm;
  vm.iommu.mode = host::IommuMode::translate;
  vm.iommu.nested_levels = 4;
  vm.iommu.walk_cache = 32;
  const double walking = rate_of(vm, 500, 1000);
  vm.ats.ats = pcie::AtsMode::on;
  vm.ats.entries = 32'768;
  vm.iommu.entries = vm.iommu.ways = 64;
  const double translated = rate_of(vm, 120'000, 1000);
  CHECK(walking < 0.7 * bare);
  CHECK(translated > 0.98 * bare);
}

}  // namespace
}  // namespace gicsim
