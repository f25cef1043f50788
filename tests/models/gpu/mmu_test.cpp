// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/mmu.h"

#include <doctest/doctest.h>

namespace gicsim::gpu {
namespace {

MmuParams small() {
  MmuParams p;
  p.on = true;
  p.l1_entries = 2;
  p.l2_entries = 4;
  p.l2_hit = 60ns;
  p.access = 100ns;
  p.walk_cache = 1;
  p.walks = 1;
  return p;
}
constexpr std::uint64_t page(std::uint64_t n) { return n * 65'536; }

TEST_CASE("mmu: off, everything is translated already") {
  const MmuParams off;
  Mmu mmu("mmu", off);
  CHECK(mmu.translate(3, page(9), 64_KiB, 5ns) == 5ns);
  CHECK(mmu.stats().l1_hits + mmu.stats().l2_hits + mmu.stats().walks == 0);
}

TEST_CASE("mmu: levels by page size, as the format has them") {
  CHECK(page_table_levels(4_KiB) == 5);
  CHECK(page_table_levels(64_KiB) == 5);
  CHECK(page_table_levels(2_MiB) == 4);
  CHECK(page_table_levels(1_GiB) == 3);
}

TEST_CASE("mmu: a walk, the own TLB, the shared one, a walk below a directory that is known") {
  const MmuParams p = small();
  Mmu mmu("mmu", p);
  CHECK(mmu.translate(0, page(0) + 8, 64_KiB, 0ns) == 60ns + 5 * 100ns);
  CHECK(mmu.translate(0, page(0) + 16, 64_KiB, 1us) == 1us);          // this SM's TLB
  CHECK(mmu.translate(1, page(0), 64_KiB, 1us) == 1us + 60ns);        // another's: the shared one
  CHECK(mmu.translate(0, page(1), 64_KiB, 2us) == 2us + 60ns + 100ns);  // its directory is known
  CHECK(mmu.translate(0, page(512), 64_KiB, 3us) == 3us + 60ns + 500ns);  // another directory
  CHECK(mmu.stats().walks == 3);
  CHECK(mmu.stats().accesses == 11);
  CHECK(mmu.stats().walk_time == 1100ns);
}

TEST_CASE("mmu: what is being walked is waited for, not walked again; one walker serves one at a time") {
  const MmuParams p = small();
  Mmu mmu("mmu", p);
  const Picoseconds there = mmu.translate(0, page(0), 64_KiB, 0ns);
  CHECK(mmu.translate(1, page(0), 64_KiB, 100ns) == there);
  CHECK(mmu.stats().walks == 1);
  CHECK(mmu.translate(1, page(7), 64_KiB, 100ns) == there + 100ns);  // after the first, below its directory
  CHECK(mmu.stats().walk_wait == there - 160ns);
}

TEST_CASE("mmu: pages in turn beyond a TLB's reach never hit it") {
  MmuParams p = small();
  p.walks = 8;
  Mmu mmu("mmu", p);
  Picoseconds now{};
  for (int round = 0; round < 10; ++round)
    for (std::uint64_t n = 0; n < 5; ++n) now = mmu.translate(0, page(n), 64_KiB, now + 10us);
  CHECK(mmu.stats().l1_hits == 0);
  CHECK(mmu.stats().l2_hits == 0);
  CHECK(mmu.stats().walks == 50);
}

}  // namespace
}  // namespace gicsim::gpu
