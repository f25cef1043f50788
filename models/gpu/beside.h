// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"
#include "models/gpu/engine_params.h"
#include "models/gpu/multiprocessors.h"
#include "models/gpu/params.h"

namespace gicsim::gpu {

/// A kernel that runs on a GPU all the time, and what it leaves to others: a clock under the power limit,
/// issue slots where it shares a multiprocessor, memory bandwidth, the front end. And what its blocks take for as long
/// as they run: it is launched again and again, each launch queued before the one ahead of it has ended.
struct BesideParams {
  Probability clock_left;
  Probability issue_left;
  Cycles load;
  Picoseconds fence_gpu;
  Picoseconds fence_system;
  BitRate memory_rate;
  Picoseconds command;
  Picoseconds kernel_start;
  Picoseconds kernel_end;
  Count blocks = 0;
  Picoseconds block_time = 100us;
  Count block_threads = 384;
  Count block_registers = 168;
  Bytes block_shared = 200_KiB;
};

inline constexpr Probability all_of_it = Probability::steps(Probability::certain);
inline constexpr Probability a_hundredth = Probability::steps(Probability::certain / 100);

template <class V>
constexpr void describe(V&& v, BesideParams& p) {
  v("clock_left", p.clock_left, "SM clock that the power limit leaves, as a share of gpu.clock", by_part,
    within(a_hundredth, all_of_it));
  v("issue_left", p.issue_left, "issue slots of a multiprocessor that another thread gets there, as a share", by_part,
    within(a_hundredth, all_of_it));
  v("load", p.load, "further cycles of a load or an atomic, whose line may have been evicted from the L2", by_part,
    within(0_cycles, 100'000_cycles));
  v("fence_gpu", p.fence_gpu, "further time of a fence at GPU scope", by_part, within(0ns, 100us));
  v("fence_system", p.fence_system, "further time of a fence at system scope", by_part, within(0ns, 100us));
  v("memory_rate", p.memory_rate, "memory bandwidth that it takes", by_part, within(1_Mbps, 100'000_Gbps));
  v("command", p.command, "further time of each command of a stream", by_part, within(0ns, 100us));
  v("kernel_start", p.kernel_start, "further time until a launched kernel's first instruction: a block has to find room",
    by_part, within(0ns, 1s));
  v("kernel_end", p.kernel_end, "further time from a kernel's last instruction to the next command", by_part,
    within(0ns, 100us));
  v("blocks", p.blocks, "of one launch of it; 0: it holds no multiprocessor, whatever else is launched finds room",
    assumed("A-411"), within(0, 10'000'000));
  v("block_time", p.block_time, "that each of them runs", assumed("A-411"), within(1us, 1s));
  v("block_threads", p.block_threads, "threads of a block", assumed("A-411"), within(1, 1024));
  v("block_registers", p.block_registers, "registers of 32 bits a thread", assumed("A-411"), within(1, 255));
  v("block_shared", p.block_shared, "shared memory of a block", assumed("A-411"), within(0_B, 1_MiB));
}
static_assert(fully_described<BesideParams>());

/// One launch of it.
constexpr Grid grid(const BesideParams& kernel) {
  return {kernel.blocks, {kernel.block_threads, kernel.block_registers, kernel.block_shared}};
}

/// Instructions of a thread that gets a share of the issue slots; rounded up.
Cycles shared(Cycles alone, Probability issue_left);

/// What a GPU is beside such a kernel. Its memory must have more bandwidth than that takes.
void beside(const BesideParams& kernel, GpuParams& gpu, FrontEndParams& front_end, CopyEngineParams& copy_engine);

}  // namespace gicsim::gpu
