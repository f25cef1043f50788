// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/base/describe.h"

namespace gicsim::link {

struct OutageStats {
  Count downed = 0, discarded = 0;
  Bytes discarded_wire;
};
template <class V>
constexpr void describe(V&& v, OutageStats& s) {
  v("downed", s.downed, "times that the link went down");
  v("discarded", s.discarded, "packets that its sender threw away, as it was down; part of lost");
  v("discarded_wire", s.discarded_wire, "bytes of these, with all headers");
}
static_assert(fully_described<OutageStats>());

/// When a cable is down: known ahead, so that a packet's fate is known when it is sent.
struct Outage {
  Picoseconds from{}, until{};
};

/// Whether any outage covers a part of [begin, end].
inline bool down(const std::vector<Outage>& outages, Picoseconds begin, Picoseconds end) {
  for (const Outage& one : outages)
    if (begin < one.until && end >= one.from) return true;
  return false;
}

}  // namespace gicsim::link
