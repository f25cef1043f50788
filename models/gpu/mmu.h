// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/base/describe.h"
#include "models/mechanisms/set_cache.h"

namespace gicsim::gpu {

/// How a GPU's virtual addresses become physical ones.
struct MmuParams {
  bool on = false;
  Bytes page = 2_MiB;
  Count entries = 16'384;
  Bytes host_page = 2_MiB;
  Count host_entries = 256;
  Picoseconds access = 210ns;
  Count walk_cache = 64;
  Count walks = 8;
};
template <class V>
constexpr void describe(V&& v, MmuParams& p) {
  v("on", p.on, "threads' addresses are translated; off: every translation is at hand, and costs nothing",
    assumed("A-244"));
  v("page", p.page, "of the GPU's own memory: 4 KiB, 64 KiB, 2 MiB, 512 MiB",
    spec("NVIDIA open-gpu-doc, Pascal and Hopper MMU formats: 2 MiB is what the driver maps large allocations with"),
    powers_of_two(4_KiB, 1_GiB));
  v("entries", p.entries, "pages of own memory that the TLB holds",
    assumed("A-246"), within(1, 1'048'576));
  v("host_page", p.host_page, "of host memory and other devices' windows, as the GPU maps them", assumed("A-245"), powers_of_two(4_KiB, 1_GiB));
  v("host_entries", p.host_entries, "pages of these that the TLB holds",
    assumed("A-246"), within(1, 1'048'576));
  v("access", p.access, "one memory access of a page walk",
    assumed("A-246"), within(0ns, 10us));
  v("walk_cache", p.walk_cache, "page directories whose entry needs no access: a walk below one takes a single access",
    assumed("A-246"), within(0, 65'536));
  v("walks", p.walks, "walks at a time; others wait", assumed("A-246"), within(1, 1024));
}
static_assert(fully_described<MmuParams>());

struct MmuStats {
  Count hits = 0, walks = 0, accesses = 0;
  Picoseconds walk_time{}, walk_wait{};
};
template <class V>
constexpr void describe(V&& v, MmuStats& s) {
  v("hits", s.hits, "accesses whose page the TLB held");
  v("walks", s.walks, "page walks");
  v("accesses", s.accesses, "memory accesses of page walks");
  v("walk_time", s.walk_time, "time that walks took, summed");
  v("walk_wait", s.walk_wait, "time that accesses waited for a walk to begin, summed");
}
static_assert(fully_described<MmuStats>());

/// Levels of the page tables from the root to a page's entry. Source: NVIDIA open-gpu-doc, Pascal MMU format
/// (47 to 38, 37 to 29, 28 to 21, 20 to 12 or 16; bits 48 and up in the root)
Count page_table_levels(Bytes page);

/// A GPU's MMU: a TLB for its own memory, one for what lies beyond, and walks of the page tables in HBM.
/// Pages that are being walked already are waited for. Not modelled: TLBs of single multiprocessors, of
/// which measurements show nothing; faults and migration of managed memory; invalidations.
class Mmu {
 public:
  Mmu(std::string name, const MmuParams& params);

  const std::string& name() const { return name_; }
  const MmuStats& stats() const { return stats_; }
  /// @return when the translation of `at` is there: now, if nothing is to be waited for
  Picoseconds translate(std::uint64_t at, bool own, Picoseconds now);

 private:
  Picoseconds walk(SetCache::Key page, Bytes size, Picoseconds now);

  std::string name_;
  const MmuParams& params_;
  SetCache own_, host_, directories_;
  std::vector<Picoseconds> walkers_;  ///< when each is free
  std::map<SetCache::Key, Picoseconds> under_way_;
  MmuStats stats_;
};

}  // namespace gicsim::gpu
