// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::gpu {

enum class Architecture { hopper, blackwell, ampere, volta };
constexpr auto names_of(Architecture) {
  return std::array<std::string_view, 4>{"hopper", "blackwell", "ampere", "volta"};
}

/// A GPU as the path sees it: the clock, the store path and what a fence waits for.
struct GpuParams {
  Architecture architecture = Architecture::hopper;
  Frequency clock;
  Cycles store_issue;
  Cycles wqe_build;
  Cycles store_ack;
  Cycles store_ack_gap;
  Cycles store_ack_most;
  Cycles line_fetch;
  Cycles inline_load;
  Cycles store_port;
  Cycles atomic;
  Picoseconds fence_gpu;
  Picoseconds fence_after_poll;
  Picoseconds fence_gpu_sc;
  Picoseconds fence_system;
  Picoseconds fence_system_sc;
  Picoseconds fence_system_after_poll = 0ns;
  Picoseconds host_write_ack;
  Picoseconds peer_write_ack = 0ns;
  Count stores_outstanding = 256;
  Cycles l2_load;
  Bytes l2_size{};
  Picoseconds hbm_load{};
  Cycles poll_loop = 40_cycles;
  Picoseconds read_latency;
  BitRate memory_rate;
  Picoseconds write_commit = 0ns;
  Picoseconds write_commit_relaxed = 0ns;
  Bytes write_window = 32_KiB;
  BitRate bar_read_rate = 100'000_Gbps;
  Bytes bar1_size = 4096 * 1_GiB;
  bool peer_memory = true;
  bool combines_stores = false;
};

template <class V>
constexpr void describe(V&& v, GpuParams& p) {
  v("architecture", p.architecture, "selects the library profiles compiled for it", by_part);
  v("clock", p.clock, "SM clock under load", by_part, within(200_MHz, 4_GHz));
  v("store_issue", p.store_issue, "SM time to issue one store of up to 16 B", by_part,
    within(1_cycles, 10'000_cycles));
  v("wqe_build", p.wqe_build, "instructions that fill a WQE, stores apart", by_part,
    within(0_cycles, 100'000_cycles));
  v("store_ack", p.store_ack, "from a store's issue to its acknowledgement, which a fence waits for", by_part,
    within(0_cycles, 100'000_cycles));
  v("store_ack_gap", p.store_ack_gap, "between acknowledgements of one thread's stores, which go to lines near and far", by_part,
    within(0_cycles, 100'000_cycles));
  v("store_ack_most", p.store_ack_most,
    "from a store's issue to its acknowledgement by the far side of the L2: what gaps can't exceed", by_part,
    within(0_cycles, 100'000_cycles));
  v("line_fetch", p.line_fetch,
    "the same as store_ack for the first store to a line that a device has read since", by_part,
    within(0_cycles, 100'000_cycles));
  v("inline_load", p.inline_load, "to load each further 16 B of a payload that goes into the WQE", by_part,
    within(0_cycles, 100'000_cycles));
  v("store_port", p.store_port, "one SM's store port: time of one store of up to 16 B, threads taking turns",
    by_part, within(0_cycles, 10'000_cycles));
  v("atomic", p.atomic, "atomic on an L2 line, issue to use", by_part, within(1_cycles, 100'000_cycles));
  v("fence_gpu", p.fence_gpu, "fence.acq_rel.gpu with nothing outstanding", by_part, within(0ns, 100us));
  v("fence_after_poll", p.fence_after_poll,
    "extra of a thread's first fence after it has polled a line of own memory that a device wrote", by_part,
    within(0ns, 100us));
  v("fence_gpu_sc", p.fence_gpu_sc, "fence.sc.gpu with nothing outstanding", by_part, within(0ns, 100us));
  v("fence_system", p.fence_system, "fence.acq_rel.sys with nothing outstanding", by_part,
    within(0ns, 100us));
  v("fence_system_sc", p.fence_system_sc, "fence.sc.sys with nothing outstanding", by_part,
    within(0ns, 100us));
  v("fence_system_after_poll", p.fence_system_after_poll,
    "as fence_after_poll, which it stands in for at system scope; a property of the platform", assumed("A-120"),
    within(0ns, 100us));
  v("host_write_ack", p.host_write_ack,
    "until a system fence may count a store to host memory as done; a property of the platform",
    by_part, within(0ns, 100us));
  v("peer_write_ack", p.peer_write_ack,
    "the same for a store to another device's BAR (a doorbell)", assumed("A-001"), within(0ns, 100us));
  v("stores_outstanding", p.stores_outstanding,
    "stores of one thread that may be unacknowledged; the next one stalls", assumed("A-002"),
    within(1, 65'536));
  v("l2_load", p.l2_load, "load that hits the L2, issue to use", by_part, within(1_cycles, 10'000_cycles));
  v("l2_size", p.l2_size, "memory whose lines the L2 keeps, of what a walk of loads goes through; 0: all of it",
    assumed("A-222"), within(0_B, 1_GiB));
  v("hbm_load", p.hbm_load, "load that misses the L2, issue to use", assumed("A-222"), within(0ns, 100us));
  v("poll_loop", p.poll_loop, "instructions of one turn of a polling loop beside its load",
    assumed("A-003"), within(1_cycles, 100'000_cycles));
  v("read_latency", p.read_latency, "from a read request at the GPU's port to its data there", by_part,
    within(0ns, 100us));
  v("memory_rate", p.memory_rate, "HBM bandwidth that DMA may use", by_part, within(1_Gbps, 100'000_Gbps));
  v("write_commit", p.write_commit,
    "from an inbound write taken to where it is visible, relaxed ordering clear: one after the other",
    assumed("A-190"), within(0ns, 1ms));
  v("write_commit_relaxed", p.write_commit_relaxed, "the same with relaxed ordering set: they overlap",
    assumed("A-190"), within(0ns, 1ms));
  v("write_window", p.write_window,
    "bytes of strictly ordered inbound writes that may be under way to visibility; more keep their link credits",
    assumed("A-191"), within(64_B, 64_MiB));
  v("bar_read_rate", p.bar_read_rate, "at which its window answers reads of other devices", assumed("A-217"),
    within(1_Gbps, 100'000_Gbps));
  v("bar1_size", p.bar1_size, "of that window (BAR 1): so much of its memory can be registered with a NIC",
    assumed("A-218"), powers_of_two(1_MiB, 4096 * 1_GiB));
  v("peer_memory", p.peer_memory, "its driver lets a NIC map that window: nvidia-peermem is loaded, or dma-buf",
    assumed("A-218"));
  v("combines_stores", p.combines_stores,
    "stores in a row of one thread to one 64 B line of a device's window leave as one TLP; else one a store",
    assumed("A-219"));
}
static_assert(fully_described<GpuParams>());

}  // namespace gicsim::gpu
