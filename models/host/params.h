// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::host {

/// What a core's clock and caches are like when a request reaches it.
enum class CpuState { cold, warm };
constexpr auto names_of(CpuState) { return std::array<std::string_view, 2>{"cold", "warm"}; }

/// A socket with its memory, as a proxy thread sees it.
struct HostParams {
  CpuState state = CpuState::cold;
  Frequency clock_cold;
  Frequency clock_warm;
  Picoseconds cache_miss;
  Picoseconds poll = 50ns;
  Picoseconds dram_read = 100ns;
  BitRate dram_rate;
  BitRate copy_rate = 84_Gbps;
  Picoseconds time_slice = 3ms;
  Probability sibling_left = Probability::steps(Probability::certain / 10 * 6);
  Bytes write_combining = 64_B;
  Count write_buffers = 10;
  Cycles write_line = 4_cycles;
  Picoseconds write_drain = 70ns;
  Count posted_lines = 128;
};

template <class V>
constexpr void describe(V&& v, HostParams& p) {
  v("state", p.state, "cold: after idling, base clock; warm: after 20 s of load, turbo clock",
    assumed("A-030"));
  v("clock_cold", p.clock_cold, "core clock when cold", by_part, within(500_MHz, 8_GHz));
  v("clock_warm", p.clock_warm, "core clock when warm", by_part, within(500_MHz, 8_GHz));
  v("cache_miss", p.cache_miss, "extra a message when cold: its lines aren't in the core's caches",
    by_part, within(0ns, 100us));
  v("poll", p.poll, "from a line written by a device to the polling core's next instruction",
    assumed("A-031"), within(0ns, 100us));
  v("dram_read", p.dram_read, "from a read request at the memory controller to its data",
    assumed("A-032"), within(0ns, 10us));
  v("dram_rate", p.dram_rate, "memory bandwidth that DMA may use", by_part, within(1_Gbps, 100'000_Gbps));
  v("copy_rate", p.copy_rate, "memory to memory, by one core", assumed("A-075"), within(1_Gbps, 10'000_Gbps));
  v("time_slice", p.time_slice, "that a program keeps its core for while others want it (cpu_load)", assumed("A-211"),
    within(1us, 1s));
  v("sibling_left", p.sibling_left, "of a core's speed, while its other hardware thread works (cpu_load_at: sibling)",
    assumed("A-212"), within(Probability::steps(Probability::certain / 100), Probability::steps(Probability::certain)));
  v("write_combining", p.write_combining,
    "stores in a row to a device's window leave in TLPs of this size: 64 B, a full buffer; 8 B, uncached or evicted early",
    assumed("A-213"), powers_of_two(8_B, 64_B));
  v("write_buffers", p.write_buffers, "write-combining buffers of a core", assumed("A-214"), within(1, 1024));
  v("write_line", p.write_line, "core time of the stores that fill such a buffer", assumed("A-215"),
    within(0_cycles, 1000_cycles));
  v("write_drain", p.write_drain, "from a full buffer until the root complex has it, and it is free", assumed("A-215"),
    within(0ns, 10us));
  v("posted_lines", p.posted_lines, "writes of a core under way to a device; then its buffers stay full",
    assumed("A-216"), within(1, 65'536));
}
static_assert(fully_described<HostParams>());

}  // namespace gicsim::host
