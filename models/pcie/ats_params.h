// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::pcie {

enum class AtsMode { off, on };
constexpr auto names_of(AtsMode) { return std::array<std::string_view, 2>{"off", "on"}; }

/// A device's own translations (ATS). Off: its addresses are translated on the way.
struct AtsParams {
  AtsMode ats = AtsMode::off;
  Count entries = 1024;
  Count ways = 16;
  Bytes page = 4_KiB;
  Count requests = 16;
};

template <class V>
constexpr void describe(V&& v, AtsParams& p) {
  v("ats", p.ats, "on: the device asks for translations, keeps them and sends translated requests", assumed("A-178"));
  v("entries", p.entries, "translations that it keeps", assumed("A-178"), within(1, 1'048'576));
  v("ways", p.ways, "their associativity", assumed("A-178"), within(1, 1024));
  v("page", p.page, "memory that one of them covers", assumed("A-178"), powers_of_two(4_KiB, 1_GiB));
  v("requests", p.requests, "translation requests outstanding", assumed("A-178"), within(1, 4096));
}
static_assert(fully_described<AtsParams>());

}  // namespace gicsim::pcie
