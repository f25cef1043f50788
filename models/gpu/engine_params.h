// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"

namespace gicsim::gpu {

/// The front end that executes streams: fetches commands from host memory, starts kernels, writes
/// and awaits values.
struct FrontEndParams {
  Count fetches = 1;
  Picoseconds kernel_start = 440ns;
  Picoseconds kernel_end = 1180ns;
  Picoseconds write = 60ns;
  Picoseconds write_flush = 1840ns;
  Picoseconds wait_period = 2280ns;
};

template <class V>
constexpr void describe(V&& v, FrontEndParams& p) {
  v("fetches", p.fetches, "reads of host memory, one after another, until rung commands are here", assumed("A-070"),
    within(1, 16));
  v("kernel_start", p.kernel_start, "from a launch command to the first instruction", assumed("A-071"),
    within(0ns, 100us));
  v("kernel_end", p.kernel_end, "from the last instruction to the next command", assumed("A-071"), within(0ns, 100us));
  v("write", p.write, "from a write-value command, or a release, to the store", assumed("A-072"), within(0ns, 100us));
  v("write_flush", p.write_flush, "from a store until the next write-value command may begin: its memory barrier",
    assumed("A-072"), within(0ns, 100us));
  v("wait_period", p.wait_period, "between two looks of a wait-value command, the look's own way apart",
    assumed("A-072"), within(0ns, 100us));
}
static_assert(fully_described<FrontEndParams>());

/// A copy engine; a GPU has one for each direction.
struct CopyEngineParams {
  Picoseconds start = 360ns;
  Picoseconds flush = 520ns;
  Bytes piece = 4_KiB;
  Bytes window = 128_KiB;
  BitRate rate = 4000_Gbps;
};

template <class V>
constexpr void describe(V&& v, CopyEngineParams& p) {
  v("start", p.start, "from a copy command to the first read or write on the link; the engine is taken",
    assumed("A-073"), within(0ns, 100us));
  v("flush", p.flush, "from the last byte visible until the engine tells that it is done, and takes the next copy",
    assumed("A-073"), within(0ns, 100us));
  v("piece", p.piece, "what the engine asks its port for at once", assumed("A-074"), powers_of_two(256_B, 64_KiB));
  v("window", p.window, "bytes asked for and not yet there", assumed("A-074"), within(256_B, 16_MiB));
  v("rate", p.rate, "at which it asks for pieces, whatever the link carries", assumed("A-143"),
    within(1_Gbps, 10'000_Gbps));
}
static_assert(fully_described<CopyEngineParams>());

}  // namespace gicsim::gpu
