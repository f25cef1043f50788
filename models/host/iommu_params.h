// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"
#include "models/mechanisms/set_cache.h"

namespace gicsim::host {

/// pass_through: addresses go on as they are, as `iommu=pt` sets it for devices of the host itself.
enum class IommuMode { off, pass_through, translate };
constexpr auto names_of(IommuMode) { return std::array<std::string_view, 3>{"off", "pass_through", "translate"}; }

struct IommuParams {
  IommuMode mode = IommuMode::off;
  Count entries = 64;
  Count ways = 64;
  Replacement replacement = Replacement::lru;
  Bytes page = 4_KiB;
  Count levels = 4;
  Count nested_levels = 0;
  Count walk_cache = 0;
  Count walks = 4;
  Picoseconds hit{};
  Bytes aperture = 4096_GiB;
  Picoseconds remap_every{};
};

template <class V>
constexpr void describe(V&& v, IommuParams& p) {
  v("mode", p.mode, "whether devices' addresses are translated", assumed("A-175"));
  v("entries", p.entries, "of the IO-TLB", assumed("A-176"), within(1, 1'048'576));
  v("ways", p.ways, "its associativity", assumed("A-176"), within(1, 1024));
  v("replacement", p.replacement, "which entry of a set goes", assumed("A-176"));
  v("page", p.page, "page size of the mappings: 4 KiB, 2 MiB or 1 GiB", assumed("A-175"), powers_of_two(4_KiB, 1_GiB));
  v("levels", p.levels, "of the page table for 4 KiB pages; larger ones end one or two levels sooner",
    spec("Intel VT-d 3.3, 3.7: 4 levels for 48 bits, 5 for 57"), within(3, 5));
  v("nested_levels", p.nested_levels,
    "of a second table that translates the first one's addresses, as in a virtual machine; 0: none", assumed("A-175"),
    within(0, 5));
  v("walk_cache", p.walk_cache, "entries that remember where last-level tables are; 0: each walk begins at the root",
    assumed("A-177"), within(0, 65'536));
  v("walks", p.walks, "page walks at a time", assumed("A-177"), within(1, 1024));
  v("hit", p.hit, "extra of a request whose page is in the IO-TLB", assumed("A-177"), within(0ns, 1us));
  v("aperture", p.aperture, "memory that is mapped for devices, from the start of a socket's; beyond it they fault",
    assumed("A-175"), within(0_B, 4096_GiB));
  v("remap_every", p.remap_every,
    "so often the page walked last is unmapped and mapped again (migration, reclaim): its entries go, devices that hold it"
    " (ATS) drop it; 0: never",
    assumed("A-249"), within(0ns, 1s));
}
static_assert(fully_described<IommuParams>());

}  // namespace gicsim::host
