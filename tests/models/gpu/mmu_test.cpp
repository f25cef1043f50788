// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/mmu.h"

#include <doctest/doctest.h>

namespace gicsim::gpu {
namespace {

MmuParams small() {
  MmuParams p;
  p.on = true;
  p.host_page = 64_KiB;
  p.host_entries = 4;
  p.access = 100ns;
  p.walk_cache = 1;
  p.walks = 1;
  return p;
}
constexpr std::uint64_t page(std::uint64_t n) { return n * 65'536; }
constexpr bool host = false, own = true;

TEST_CASE("mmu: off, everything is translated already") {
  const MmuParams off;
  Mmu mmu("mmu", off);
  CHECK(mmu.translate(page(9), host, 5ns) == 5ns);
  CHECK(mmu.stats().hits + mmu.stats().walks == 0);
}

TEST_CASE("mmu: levels by page size, as the format has them") {
  CHECK(page_table_levels(4_KiB) == 5);
  CHECK(page_table_levels(64_KiB) == 5);
  CHECK(page_table_levels(2_MiB) == 4);
  CHECK(page_table_levels(1_GiB) == 3);
}

TEST_CASE("mmu: a walk, a hit, a walk below a directory that is known") {
  const MmuParams p = small();
  Mmu mmu("mmu", p);
  CHECK(mmu.translate(page(0) + 8, host, 0ns) == 5 * 100ns);
  CHECK(mmu.translate(page(0) + 16, host, 1us) == 1us);
  CHECK(mmu.translate(page(1), host, 2us) == 2us + 100ns);
  CHECK(mmu.translate(page(512), host, 3us) == 3us + 500ns);
  CHECK(mmu.translate(page(513), own, 4us) == 4us + 400ns);  // a page of 2 MiB: four levels
  CHECK(mmu.stats().walks == 4);
  CHECK(mmu.stats().accesses == 15);
  CHECK(mmu.stats().walk_time == 1500ns);
}

TEST_CASE("mmu: what is being walked is waited for, not walked again; one walker serves one at a time") {
  const MmuParams p = small();
  Mmu mmu("mmu", p);
  const Picoseconds there = mmu.translate(page(0), host, 0ns);
  CHECK(mmu.translate(page(0), host, 100ns) == there);
  CHECK(mmu.stats().walks == 1);
  CHECK(mmu.translate(page(7), host, 100ns) == there + 100ns);  // after the first, below its directory
  CHECK(mmu.stats().walk_wait == there - 100ns);
}

TEST_CASE("mmu: pages in turn beyond the TLB's reach never hit it, within it always") {
  const MmuParams p = small();
  for (const std::uint64_t pages : {std::uint64_t{4}, std::uint64_t{5}}) {
    Mmu mmu("mmu", p);
    Picoseconds now{};
    for (int round = 0; round < 10; ++round)
      for (std::uint64_t n = 0; n < pages; ++n) now = mmu.translate(page(n), host, now + 10us);
    CHECK(mmu.stats().hits == (pages == 4 ? 36 : 0));
    CHECK(mmu.stats().walks == (pages == 4 ? 4 : 50));
  }
}

}  // namespace
}  // namespace gicsim::gpu
