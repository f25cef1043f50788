// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"

namespace gicsim::dma {

/// A device's DMA engine: a storage controller, a measuring card.
struct DmaParams {
  Picoseconds issue;
  Picoseconds fetch;
  BitRate rate;
  BitRate memory_rate;
  Bytes burst = 64_B;
  Picoseconds setup{};
  Picoseconds read_interval;
  Picoseconds write_interval;
  Count outstanding;
};

template <class V>
constexpr void describe(V&& v, DmaParams& p) {
  v("issue", p.issue, "from a descriptor given to the engine to its work", by_part, within(0ns, 100us));
  v("fetch", p.fetch, "from asking the device's own memory for what a write sends to its first byte", by_part,
    within(0ns, 1ms));
  v("rate", p.rate, "between port and the device's own memory, each way", by_part, within(1_Mbps, 10'000_Gbps));
  v("memory_rate", p.memory_rate, "of the device's own memory, both ways together", by_part,
    within(1_Mbps, 100'000_Gbps));
  v("burst", p.burst, "unit of both: a shorter rest takes as long", assumed("A-170"), powers_of_two(1_B, 4_KiB));
  v("setup", p.setup, "on that path, once an access", assumed("A-170"), within(0ns, 100us));
  v("read_interval", p.read_interval, "least time between the starts of two reads", by_part, within(0ns, 1ms));
  v("write_interval", p.write_interval, "least time between the starts of two writes", by_part, within(0ns, 1ms));
  v("outstanding", p.outstanding, "reads that may be under way, and as many writes", by_part, within(1, 65'536));
}
static_assert(fully_described<DmaParams>());

}  // namespace gicsim::dma
