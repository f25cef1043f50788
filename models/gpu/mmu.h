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
  Bytes host_page = 64_KiB;
  Count l1_entries = 32;
  Count l2_entries = 1024;
  Picoseconds l2_hit = 60ns;
  Picoseconds access = 348ns;
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
  v("host_page", p.host_page, "of host memory and other devices' windows, as the GPU maps them", assumed("A-245"),
    powers_of_two(4_KiB, 1_GiB));
  v("l1_entries", p.l1_entries, "pages that a multiprocessor's TLB holds", assumed("A-246"), within(1, 65'536));
  v("l2_entries", p.l2_entries, "pages that the TLB of all multiprocessors holds", assumed("A-246"),
    within(1, 1'048'576));
  v("l2_hit", p.l2_hit, "extra of a page that only the latter has", assumed("A-246"), within(0ns, 10us));
  v("access", p.access, "one memory access of a page walk",
    derived("gpu_latency_gh200: a load from HBM takes 689 cycles at 1.98 GHz"), within(0ns, 10us));
  v("walk_cache", p.walk_cache, "page directories whose entry needs no access: a walk below one takes a single access",
    assumed("A-246"), within(0, 65'536));
  v("walks", p.walks, "walks at a time; others wait", assumed("A-246"), within(1, 1024));
}
static_assert(fully_described<MmuParams>());

struct MmuStats {
  Count l1_hits = 0, l2_hits = 0, walks = 0, accesses = 0;
  Picoseconds walk_time{}, walk_wait{};
};
template <class V>
constexpr void describe(V&& v, MmuStats& s) {
  v("l1_hits", s.l1_hits, "accesses whose page the multiprocessor's TLB held");
  v("l2_hits", s.l2_hits, "of others, those that the shared TLB held");
  v("walks", s.walks, "page walks");
  v("accesses", s.accesses, "memory accesses of page walks");
  v("walk_time", s.walk_time, "time that walks took, summed");
  v("walk_wait", s.walk_wait, "time that accesses waited for a walk to begin, summed");
}
static_assert(fully_described<MmuStats>());

/// Levels of the page tables from the root to a page's entry. Source: NVIDIA open-gpu-doc, Pascal MMU format
/// (47 to 38, 37 to 29, 28 to 21, 20 to 12 or 16; bits 48 and up in the root)
Count page_table_levels(Bytes page);

/// A GPU's MMU: a TLB a multiprocessor, one for all, and walks of the page tables in HBM. Pages that
/// are being walked already are waited for. Not modelled: faults and migration of managed memory,
/// invalidations.
class Mmu {
 public:
  Mmu(std::string name, const MmuParams& params);

  const std::string& name() const { return name_; }
  const MmuStats& stats() const { return stats_; }
  /// @param sm  of the thread that accesses
  /// @return when the translation of `at` is there: now, if nothing is to be waited for
  Picoseconds translate(std::size_t sm, std::uint64_t at, Bytes page, Picoseconds now);

 private:
  Picoseconds walk(SetCache::Key page, Bytes size, Picoseconds now);

  std::string name_;
  const MmuParams& params_;
  std::vector<SetCache> l1_;
  SetCache l2_, directories_;
  std::vector<Picoseconds> walkers_;  ///< when each is free
  std::map<SetCache::Key, Picoseconds> under_way_;
  MmuStats stats_;
};

}  // namespace gicsim::gpu
