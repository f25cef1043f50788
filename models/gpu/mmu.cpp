// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/mmu.h"

#include <algorithm>
#include <bit>

namespace gicsim::gpu {

Count page_table_levels(Bytes page) {
  if (page <= 64_KiB) return 5;
  if (page <= 2_MiB) return 4;
  return 3;
}

Mmu::Mmu(std::string name, const MmuParams& params)
    : name_(std::move(name)),
      params_(params),
      own_(name_ + ".own", params.on ? params.entries : 1, params.on ? params.entries : 1, Replacement::lru),
      host_(name_ + ".host", params.host_entries, params.host_entries, Replacement::lru),
      directories_(name_ + ".directories", std::max<Count>(1, params.walk_cache), std::max<Count>(1, params.walk_cache),
                   Replacement::lru),
      walkers_(static_cast<std::size_t>(params.walks)) {}

Picoseconds Mmu::translate(std::uint64_t at, bool own, Picoseconds now) {
  if (!params_.on) return now;
  const Bytes size = own ? params_.page : params_.host_page;
  const SetCache::Key page = at >> std::countr_zero(static_cast<std::uint64_t>(size.count()));
  const auto walking = under_way_.find(page);
  if (walking != under_way_.end() && walking->second > now) return walking->second;
  SetCache& tlb = own ? own_ : host_;
  if (tlb.look_up(page)) {
    ++stats_.hits;
    return now;
  }
  tlb.insert(page);
  return walk(page, size, now);
}

Picoseconds Mmu::walk(SetCache::Key page, Bytes size, Picoseconds now) {
  constexpr int directory = 9;  // an entry of the last directory covers so many pages, as a power of two
  Count accesses = page_table_levels(size);
  if (params_.walk_cache > 0 && directories_.look_up(page >> directory)) accesses = 1;
  else if (params_.walk_cache > 0) directories_.insert(page >> directory);
  Picoseconds& free = *std::min_element(walkers_.begin(), walkers_.end());
  const Picoseconds begin = std::max(now, free);
  free = begin + params_.access * accesses;
  ++stats_.walks;
  stats_.accesses += accesses;
  stats_.walk_time += free - begin;
  stats_.walk_wait += begin - now;
  std::erase_if(under_way_, [&](const auto& one) { return one.second <= now; });
  under_way_[page] = free;
  return free;
}

}  // namespace gicsim::gpu
