// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"
#include "models/host/gate_params.h"
#include "models/mechanisms/set_cache.h"

namespace gicsim::host {

/// What a core's clock and caches are like when a request reaches it.
enum class CpuState { cold, warm };
constexpr auto names_of(CpuState) { return std::array<std::string_view, 2>{"cold", "warm"}; }

/// Whether device reads are told apart by hit and miss in the last-level cache. Off: each takes `dram_read`, the one
/// time that is fitted for a machine of which nothing else is known.
enum class Llc { off, on };
constexpr auto names_of(Llc) { return std::array<std::string_view, 2>{"off", "on"}; }

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
  Picoseconds write_commit = 0ns;
  Picoseconds write_commit_relaxed = 0ns;
  Bytes write_window = 32_KiB;
  Picoseconds relaxed_write = 0ns;
  Llc llc = Llc::off;
  Bytes llc_size = 32_MiB;
  Count llc_ways = 16;
  Count ddio_ways = 2;
  Replacement llc_replacement = Replacement::lru;
  Picoseconds llc_read = 50ns;
  Picoseconds time_slice = 3ms;
  Probability sibling_left = Probability::steps(Probability::certain / 10 * 6);
  Bytes write_combining = 64_B;
  Count write_buffers = 10;
  Cycles write_line = 4_cycles;
  Picoseconds write_drain = 70ns;
  Count posted_lines = 128;
  bool doorbell_gate = false;
  Cycles atomic = 20_cycles;
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
  v("write_commit", p.write_commit,
    "from an inbound write taken to where it is visible, relaxed ordering clear: one after the other",
    assumed("A-190"), within(0ns, 1ms));
  v("write_commit_relaxed", p.write_commit_relaxed, "the same with relaxed ordering set: they overlap",
    assumed("A-190"), within(0ns, 1ms));
  v("write_window", p.write_window,
    "bytes of strictly ordered inbound writes that may be under way to visibility; more keep their link credits",
    assumed("A-191"), within(64_B, 64_MiB));
  v("relaxed_write", p.relaxed_write,
    "time that each write with relaxed ordering keeps the root complex's way to memory busy", assumed("A-192"),
    within(0ns, 1ms));
  v("llc", p.llc, "on: a device's read takes llc_read or dram_read, by whether the last-level cache has its lines; off: dram_read",
    assumed("A-174"));
  v("llc_size", p.llc_size, "last-level cache of a socket", assumed("A-174"), within(64_KiB, 4_GiB));
  v("llc_ways", p.llc_ways, "its associativity", assumed("A-174"), within(1, 64));
  v("ddio_ways", p.ddio_ways, "ways into which a device's writes are put", assumed("A-174"), within(1, 64));
  v("llc_replacement", p.llc_replacement, "which line of a set goes", assumed("A-174"));
  v("llc_read", p.llc_read, "from a device's read at the root complex to its data, in the last-level cache",
    assumed("A-171"), within(0ns, 10us));
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
  v("doorbell_gate", p.doorbell_gate,
    "a claim: each doorbell goes to the host's kernel, which checks who rang and rings the NIC (host.gate)", gate_claim);
  v("atomic", p.atomic, "core time of an atomic on a line that its cache holds", assumed("A-401"), within(0_cycles, 100'000_cycles));
}
static_assert(fully_described<HostParams>());

}  // namespace gicsim::host
