// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw_backend/gpu/bench.h"
#include "hw_backend/gpu/chase.h"
#include "hw_backend/gpu/device.h"
#include "hw_backend/gpu/probes.h"

namespace gicsim::hw::gpu {
namespace {

constexpr Word8 line = 128;  ///< of the L2

/// One line of each page names that of the next one, in an order that visits all before it comes back. Lines of
/// different pages lie apart within theirs, so that they don't meet in a few sets of the L2.
/// @pre pages is a power of two
__global__ void chain_pages(char* base, unsigned pages, Word8 stride, Stamps* stamps) {
  const auto place = [=](unsigned i) { return i * stride + (i * line) % stride; };
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < pages; i += gridDim.x * blockDim.x)
    *reinterpret_cast<Word8*>(base + place(i)) = place((1664525U * i + 1013904223U) & (pages - 1));
  if (blockIdx.x == 0 && threadIdx.x == 0) stamps->last = 0;
}

__global__ void visit_pages(const char* base, unsigned pages) {
  Word8 at = 0;
  for (unsigned i = 0; i < 2 * pages; ++i) at = load(reinterpret_cast<const Word8*>(base + at));
}

/// All lines of 128 B, by all multiprocessors: what then fits in the L2 is there.
__global__ void visit_lines(const char* base, unsigned lines, Word8* sum) {
  Word8 seen = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < lines; i += gridDim.x * blockDim.x)
    seen += load(reinterpret_cast<const Word8*>(base + i * Word8{128}));
  if (seen == 1) *sum = seen;
}

void chase_place(Bench& bench, Place place, const Memory& memory, Word8 stride, Word8 bytes) {
  const unsigned n = bench.samples(4000, 400);
  for (unsigned pages = 4; pages * stride <= bytes; pages *= bench.quick() ? 16 : 2) {
    const Figure figure{Pattern::host_load,
                        Path::none,
                        {{"bytes", plain(8)},
                         {"memory", plain(name_of(place))},
                         {"footprint", plain(static_cast<std::int64_t>(pages * stride))},
                         {"stride", plain(static_cast<std::int64_t>(stride))}},
                        Quantity::latency,
                        ""};
    bool chained = false;
    bench.stamped(figure, n, [&](Stamps* stamps) {
      if (!chained) chain_pages<<<64, 256, 0, bench.stream()>>>(memory.data(), pages, stride, stamps);
      if (stride == line) visit_lines<<<256, 256, 0, bench.stream()>>>(memory.data(), pages, &stamps->last);
      else visit_pages<<<1, 1, 0, bench.stream()>>>(memory.data(), std::min(pages, 8192U));
      chained = true;
      chase<Word8><<<1, 1, 0, bench.stream()>>>(memory.data(), n, stamps);
    });
  }
}

}  // namespace

void PageChase::run(Session& session) {
  Bench bench(session);
  constexpr Word8 kib = 1024, mib = kib * 1024, gib = mib * 1024;
  const Word8 host = bench.quick() ? 256 * mib : 4 * gib, own = bench.quick() ? 2 * gib : 32 * gib;
  {
    const Memory memory(Place::host, host);
    for (const Word8 stride : {4 * kib, 64 * kib, 2 * mib})
      chase_place(bench, Place::host, memory, stride, std::min(host, stride * 32768));
  }
  const Memory memory(Place::hbm, own);
  for (const Word8 stride : {64 * kib, 2 * mib}) chase_place(bench, Place::hbm, memory, stride, std::min(own, stride * 32768));
  chase_place(bench, Place::hbm, memory, line, std::min(own, gib));
}

}  // namespace gicsim::hw::gpu
