// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw_backend/gpu/bench.h"
#include "hw_backend/gpu/device.h"
#include "hw_backend/gpu/places.h"
#include "hw_backend/gpu/probes.h"

namespace gicsim::hw::gpu {
namespace {

constexpr unsigned line = 128, lines = 64;

// Each returns what was there before. A compare-and-swap that is given what it will find succeeds.
struct FetchAdd {
  static constexpr const char* name = "fetch_add";
  __device__ static Word8 on(Word4* p, Word4, Word4 v) {
    Word4 was;
    asm volatile("atom.relaxed.sys.global.add.u32 %0, [%1], %2;" : "=r"(was) : "l"(p), "r"(v) : "memory");
    return was;
  }
  __device__ static Word8 on(Word8* p, Word8, Word8 v) {
    Word8 was;
    asm volatile("atom.relaxed.sys.global.add.u64 %0, [%1], %2;" : "=l"(was) : "l"(p), "l"(v) : "memory");
    return was;
  }
};
struct CompareSwap {
  static constexpr const char* name = "compare_swap";
  __device__ static Word8 on(Word4* p, Word4 there, Word4 v) {
    Word4 was;
    asm volatile("atom.relaxed.sys.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(was)
                 : "l"(p), "r"(there), "r"(v)
                 : "memory");
    return was;
  }
  __device__ static Word8 on(Word8* p, Word8 there, Word8 v) {
    Word8 was;
    asm volatile("atom.relaxed.sys.global.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(was)
                 : "l"(p), "l"(there), "l"(v)
                 : "memory");
    return was;
  }
};
struct Exchange {
  static constexpr const char* name = "exchange";
  __device__ static Word8 on(Word4* p, Word4, Word4 v) {
    Word4 was;
    asm volatile("atom.relaxed.sys.global.exch.b32 %0, [%1], %2;" : "=r"(was) : "l"(p), "r"(v) : "memory");
    return was;
  }
  __device__ static Word8 on(Word8* p, Word8, Word8 v) {
    Word8 was;
    asm volatile("atom.relaxed.sys.global.exch.b64 %0, [%1], %2;" : "=l"(was) : "l"(p), "l"(v) : "memory");
    return was;
  }
};

template <class Operation, class Word>
__global__ void one_by_one(char* to, unsigned n, Stamps* stamps) {
  __shared__ unsigned took[most_samples];
  const auto word = [&](unsigned i) { return reinterpret_cast<Word*>(to + i % lines * line); };
  for (unsigned i = 0; i < lines; ++i) store(word(i), 0);
  fence_system();
  Word8 was = 0;
  for (unsigned i = 0; i < lines; ++i) was |= Operation::on(word(i), 0, 1);
  for (unsigned i = 0; i < own_samples; ++i) {
    const long long t = clock_now();
    stamps->own[i] = static_cast<unsigned>(clock_after(was) - t);
  }
  fence_system();
  for (unsigned i = 0; i < n; ++i) {
    Word* p = word(i);
    const Word there = 1 + i / lines;
    const long long t = clock_now();
    was = Operation::on(p, there, there + 1);
    took[i] = static_cast<unsigned>(clock_after(was) - t);
  }
  for (unsigned i = 0; i < n; ++i) stamps->took[i] = took[i];
}

/// Each thread adds to a word of its own line; it waits for none of its additions before the last.
__global__ void add_all(char* to, unsigned each, Span* spans, Word8* never) {
  auto* word = reinterpret_cast<Word8*>(to + (std::size_t(blockIdx.x) * blockDim.x + threadIdx.x) * line);
  if (threadIdx.x == 0) spans[blockIdx.x].begin = timer_now();
  __syncthreads();
  Word8 sum = 0;
  for (unsigned i = 0; i < each; ++i) sum ^= FetchAdd::on(word, 0, 1);
  if (sum == ~0ULL) *never = sum;
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x].end = timer_now();
}

template <class Operation, class Word>
void latency(Bench& bench, Place place, const Memory& memory) {
  const unsigned n = bench.samples(2000, 200);
  const Figure figure{Pattern::host_atomic,
                      Path::none,
                      {{"bytes", plain(static_cast<std::int64_t>(sizeof(Word)))},
                       {"operation", plain(Operation::name)},
                       {"memory", plain(name_of(place))}},
                      Quantity::latency,
                      ""};
  bench.stamped(figure, n, [&](Stamps* stamps) {
    one_by_one<Operation, Word><<<1, 1, 0, bench.stream()>>>(memory.data(), n, stamps);
  });
}

void rates(Bench& bench, Place place, const Memory& memory) {
  const DeviceArray<Word8> never(1);
  const std::vector<unsigned> sm_counts =
      bench.quick() ? std::vector<unsigned>{1, bench.sms()} : std::vector<unsigned>{1, 8, bench.sms()};
  for (const unsigned threads : {1U, 32U, 256U})
    for (const unsigned sms : sm_counts) {
      const unsigned each = std::clamp((1U << 18) / (threads * sms), 32U, 256U);
      const double messages = double(each) * threads * sms;
      const Figure figure{Pattern::host_atomic,
                          Path::none,
                          {{"bytes", plain(8)},
                           {"operation", plain(FetchAdd::name)},
                           {"memory", plain(name_of(place))},
                           {"threads", plain(threads * sms)},
                           {"sms", plain(sms)}},
                          Quantity::message_rate,
                          ""};
      bench.spanned(figure, messages * 1000, sms, [&](Span* spans) {
        add_all<<<sms, threads, 0, bench.stream()>>>(memory.data(), each, spans, never.data());
      });
    }
}

}  // namespace

void HostAtomic::run(Session& session) {
  Bench bench(session);
  at_each_place(bench, Pattern::host_atomic, std::size_t(256) * line * bench.sms(),
                [&](Place place, const Memory& memory) {
                  latency<FetchAdd, Word4>(bench, place, memory);
                  latency<FetchAdd, Word8>(bench, place, memory);
                  latency<CompareSwap, Word4>(bench, place, memory);
                  latency<CompareSwap, Word8>(bench, place, memory);
                  latency<Exchange, Word4>(bench, place, memory);
                  latency<Exchange, Word8>(bench, place, memory);
                  rates(bench, place, memory);
                });
}

}  // namespace gicsim::hw::gpu
