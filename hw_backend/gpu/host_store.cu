// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw_backend/gpu/bench.h"
#include "hw_backend/gpu/device.h"
#include "hw_backend/gpu/places.h"
#include "hw_backend/gpu/probes.h"

namespace gicsim::hw::gpu {
namespace {

constexpr std::size_t size = std::size_t{64} << 20;
constexpr unsigned in_a_row = 4096;
constexpr unsigned line = 128, lines = size / line;

/// n runs of stores in a row to the words of 64 KiB; each run begins with nothing under way.
template <class Word>
__global__ void issue(Word* to, unsigned n, Stamps* stamps) {
  constexpr unsigned words = 65'536 / sizeof(Word);
  for (unsigned i = 0; i < own_samples; ++i) {
    const long long t = clock_now();
    stamps->own[i] = static_cast<unsigned>(clock_now() - t);
  }
  for (unsigned i = 0; i < n; ++i) {
    fence_system();
    const long long t = clock_now();
#pragma unroll 8
    for (unsigned k = 0; k < in_a_row; ++k) store(to + k % words, k);
    stamps->took[i] = static_cast<unsigned>(clock_now() - t);
  }
}

/// Each store goes to a line of its own: a thread's stores to one word would become one write on their way.
template <class Word>
__global__ void apart(char* to, unsigned each, Span* spans) {
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) spans[blockIdx.x].begin = timer_now();
  __syncthreads();
  for (unsigned i = 0; i < each; ++i, at += threads)
    store(reinterpret_cast<Word*>(to + std::size_t(at % lines) * line), i);
  fence_system();
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x].end = timer_now();
}

/// Neighbouring threads store neighbouring 16 B.
__global__ void write_all(uint4* to, unsigned rounds, Span* spans) {
  const std::size_t threads = std::size_t(gridDim.x) * blockDim.x;
  to += std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) spans[blockIdx.x].begin = timer_now();
  __syncthreads();
  for (unsigned r = 0; r < rounds; ++r, to += threads) store(to, r);
  fence_system();
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x].end = timer_now();
}

Figure figure(Quantity quantity, int bytes, Place place, unsigned threads, unsigned sms) {
  return {
      Pattern::host_store,
      Path::none,
      {{"bytes", plain(bytes)}, {"memory", plain(name_of(place))}, {"threads", plain(threads * sms)}, {"sms", plain(sms)}},
      quantity,
      ""};
}

template <class Word>
void of_width(Bench& bench, Place place, const Memory& memory) {
  constexpr int bytes = sizeof(Word);
  const unsigned n = bench.samples(100, 10);
  bench.stamped(
      figure(Quantity::issue, bytes, place, 1, 1), n,
      [&](Stamps* stamps) { issue<<<1, 1, 0, bench.stream()>>>(reinterpret_cast<Word*>(memory.data()), n, stamps); },
      in_a_row);
  const std::vector<unsigned> sm_counts =
      bench.quick() ? std::vector<unsigned>{1, bench.sms()} : std::vector<unsigned>{1, 8, bench.sms()};
  for (const unsigned threads : {1U, 32U, 256U})
    for (const unsigned sms : sm_counts) {
      const unsigned each = std::max((1U << 20) / (threads * sms), 32U);  // fewer would stay in buffers on the way
      const double messages = double(each) * threads * sms;
      bench.spanned(figure(Quantity::message_rate, bytes, place, threads, sms), messages * 1000, sms,
                    [&](Span* spans) { apart<Word><<<sms, threads, 0, bench.stream()>>>(memory.data(), each, spans); });
    }
}

void bandwidths(Bench& bench, Place place, const Memory& memory) {
  for (const unsigned threads : {32U, 256U, 1024U})
    for (const unsigned sms : bench.sm_counts()) {
      const std::size_t round = std::size_t(16) * threads * sms;
      const auto rounds = static_cast<unsigned>(std::max<std::size_t>(size / 2 / round, 1));
      bench.spanned(figure(Quantity::bandwidth, 16, place, threads, sms), static_cast<double>(round * rounds), sms,
                    [&](Span* spans) {
                      write_all<<<sms, threads, 0, bench.stream()>>>(reinterpret_cast<uint4*>(memory.data()), rounds,
                                                                     spans);
                    });
    }
}

}  // namespace

void HostStore::run(Session& session) {
  Bench bench(session);
  at_each_place(bench, Pattern::host_store, size, [&](Place place, const Memory& memory) {
    of_width<Word4>(bench, place, memory);
    of_width<Word8>(bench, place, memory);
    of_width<Word16>(bench, place, memory);
    if (place != Place::hbm) bandwidths(bench, place, memory);
  });
}

}  // namespace gicsim::hw::gpu
