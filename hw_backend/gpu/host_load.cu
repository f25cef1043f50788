// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw_backend/gpu/bench.h"
#include "hw_backend/gpu/chase.h"
#include "hw_backend/gpu/device.h"
#include "hw_backend/gpu/places.h"
#include "hw_backend/gpu/probes.h"

namespace gicsim::hw::gpu {
namespace {

constexpr std::size_t largest = std::size_t{64} << 20;

/// Each slot names the next one, in an order that visits all before it comes back and that no prefetcher knows.
/// @pre slots is a power of two
__global__ void chain(char* base, unsigned slots, unsigned stride, Stamps* stamps) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < slots; i += gridDim.x * blockDim.x)
    *reinterpret_cast<unsigned*>(base + std::size_t(i) * stride) =
        ((1664525U * i + 1013904223U) & (slots - 1)) * stride;
  if (blockIdx.x == 0 && threadIdx.x == 0) stamps->last = 0;
}

/// Once through all slots: a GPU's first load of what another SM has stored takes longer than those that follow.
__global__ void visit(const char* base, unsigned slots) {
  Word8 at = 0;
  for (unsigned i = 0; i < slots; ++i) at = load(reinterpret_cast<const Word4*>(base + at));
}

/// Neighbouring threads read neighbouring 16 B; a thread has four reads under way.
__global__ void read_all(const uint4* from, unsigned rounds, Span* spans, unsigned* never) {
  const std::size_t threads = std::size_t(gridDim.x) * blockDim.x;
  from += std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) spans[blockIdx.x].begin = timer_now();
  __syncthreads();
  unsigned sum = 0;
  for (unsigned r = 0; r < rounds; ++r, from += 4 * threads) {
    uint4 v[4];
    for (int k = 0; k < 4; ++k)
      asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(v[k].x), "=r"(v[k].y), "=r"(v[k].z), "=r"(v[k].w)
                   : "l"(from + k * threads));
    for (int k = 0; k < 4; ++k) sum += v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
  }
  if (sum == 0xffffffffU) *never = sum;  // so that the thread waits for what it has read
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x].end = timer_now();
}

struct Point {
  int bytes;
  unsigned footprint, stride;
};

std::vector<Point> points(bool quick) {
  if (quick) return {{4, 65'536, 128}, {8, 65'536, 128}, {16, 65'536, 128}, {8, 64 << 20, 128}};
  std::vector<Point> all;
  for (const int bytes : {4, 8, 16}) all.push_back({bytes, 65'536, 128});
  for (const unsigned footprint : {4U << 10, 1U << 20, 16U << 20, 64U << 20}) all.push_back({8, footprint, 128});
  for (const unsigned stride : {32U, 512U, 4096U}) all.push_back({8, 1U << 20, stride});
  return all;
}

void latencies(Bench& bench, Place place, const Memory& memory) {
  const unsigned n = bench.samples(2000, 200);
  for (const Point& p : points(bench.quick())) {
    const Figure figure{Pattern::host_load,
                        Path::none,
                        {{"bytes", plain(p.bytes)},
                         {"memory", plain(name_of(place))},
                         {"footprint", plain(p.footprint)},
                         {"stride", plain(p.stride)}},
                        Quantity::latency,
                        ""};
    bool chained = false;
    bench.stamped(figure, n, [&](Stamps* stamps) {
      const unsigned slots = p.footprint / p.stride;
      if (!chained) {
        chain<<<64, 256, 0, bench.stream()>>>(memory.data(), slots, p.stride, stamps);
        visit<<<1, 1, 0, bench.stream()>>>(memory.data(), slots);
        chained = true;
      }
      if (p.bytes == 4) chase<Word4><<<1, 1, 0, bench.stream()>>>(memory.data(), n, stamps);
      if (p.bytes == 8) chase<Word8><<<1, 1, 0, bench.stream()>>>(memory.data(), n, stamps);
      if (p.bytes == 16) chase<Word16><<<1, 1, 0, bench.stream()>>>(memory.data(), n, stamps);
    });
  }
}

void bandwidths(Bench& bench, Place place, const Memory& memory) {
  const DeviceArray<unsigned> never(1);
  for (const unsigned threads : {32U, 256U, 1024U})
    for (const unsigned sms : bench.sm_counts()) {
      const std::size_t round = std::size_t(64) * threads * sms;
      const auto rounds = static_cast<unsigned>(std::clamp<std::size_t>(largest / 2 / round, 1, 256));
      const Figure figure{
          Pattern::host_load,
          Path::none,
          {{"bytes", plain(16)}, {"memory", plain(name_of(place))}, {"threads", plain(threads * sms)}, {"sms", plain(sms)}},
          Quantity::bandwidth,
          ""};
      bench.spanned(figure, static_cast<double>(round * rounds), sms, [&](Span* spans) {
        read_all<<<sms, threads, 0, bench.stream()>>>(reinterpret_cast<const uint4*>(memory.data()), rounds, spans,
                                                      never.data());
      });
    }
}

}  // namespace

void HostLoad::run(Session& session) {
  Bench bench(session);
  at_each_place(bench, Pattern::host_load, largest, [&](Place place, const Memory& memory) {
    latencies(bench, place, memory);
    if (place != Place::hbm) bandwidths(bench, place, memory);
  });
}

}  // namespace gicsim::hw::gpu
