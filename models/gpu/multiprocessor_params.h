// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"

namespace gicsim::gpu {

/// A GPU's multiprocessors, and what blocks that are resident share on each: compute capability 9.0 and 10.0, where a
/// part doesn't say.
struct MultiprocessorParams {
  Count count = 132;
  Count blocks = 32;
  Count threads = 2048;
  Count registers = 65'536;
  Bytes shared_memory = 228_KiB;
};

template <class V>
constexpr void describe(V&& v, MultiprocessorParams& p) {
  constexpr auto capability = [] { return spec("CUDA C++ Programming Guide, compute capability 9.0"); };
  v("count", p.count, "multiprocessors", assumed("A-410"), within(1, 1024));
  v("blocks", p.blocks, "blocks that may be resident on one", capability(), within(1, 64));
  v("threads", p.threads, "threads that may be resident on one", capability(), within(32, 4096));
  v("registers", p.registers, "registers of 32 bits of one", capability(), within(1024, 1'048'576));
  v("shared_memory", p.shared_memory, "of one, for its blocks", capability(), within(1_KiB, 1_MiB));
}
static_assert(fully_described<MultiprocessorParams>());

}  // namespace gicsim::gpu
