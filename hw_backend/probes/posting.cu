// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// What posting costs an SM when no NIC takes part: the store sequence of an RDMA put (WQE of three 16 B
// segments, producer index, fence, doorbell record, 8 B doorbell) into rings in HBM. The doorbell goes to
// pinned host memory: a posted PCIe write, as into a NIC's BAR. A second SM plays the NIC where a
// completion is waited for. Measures, in ns a WQE unless the row says otherwise:
//   stream     posts in a row, by ordering, batch, threads and SMs, a ring each
//   after      issue of one post by what the thread did before
//   shared     one ring: a lock, hand-off in order of reservation, one reservation a warp
//
// Build and run by hand: nvcc -O3 -std=c++17 -arch=sm_90 posting.cu -o posting && ./posting

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    const cudaError_t e = (call);                                                            \
    if (e != cudaSuccess) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));        \
      std::exit(4);                                                                          \
    }                                                                                        \
  } while (false)

enum Order { none, gpu_fence, gpu_fence_dbr, gpu_release, threadfence, sys_fence, orders };
static const char* const order_names[] = {"none",        "gpu_fence",   "gpu_fence_dbr",
                                          "gpu_release", "threadfence", "sys_fence"};

constexpr unsigned depth = 1024;  // WQEs of a ring
struct Ring {
  uint4* slots;
  unsigned *record, *state, *reserve, *ready, *lock;
  unsigned long long* doorbell;  // pinned host memory
  unsigned* cqe;
};

__device__ void fence_acq_rel_gpu() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
__device__ void fence_sc_gpu() { asm volatile("fence.sc.gpu;" ::: "memory"); }
__device__ void fence_sc_sys() { asm volatile("fence.sc.sys;" ::: "memory"); }
__device__ void store16(uint4* p, unsigned a, unsigned b) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %1, %2};" ::"l"(p), "r"(a), "r"(b) : "memory");
}
__device__ void store4(unsigned* p, unsigned v) { asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ unsigned load4(const unsigned* p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void ring_bell(unsigned long long* p, unsigned v) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(p), "l"((unsigned long long)v) : "memory");
}
__device__ void order(Order o) {
  switch (o) {
    case gpu_fence: case gpu_fence_dbr: fence_acq_rel_gpu(); break;
    case threadfence: fence_sc_gpu(); break;
    case sys_fence: fence_sc_sys(); break;
    default: break;
  }
}
__device__ void build(const Ring& r, unsigned index) {
  uint4* slot = r.slots + (index % depth) * 4;
  store16(slot, index, 8), store16(slot + 1, index, 1), store16(slot + 2, index, 2);
}
__device__ void announce(const Ring& r, unsigned producer, Order o) {
  order(o);
  if (o == gpu_release)
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(r.record), "r"(producer) : "memory");
  else
    store4(r.record, producer);
  if (o == gpu_fence_dbr) order(o);
  ring_bell(r.doorbell, producer);
}
__device__ unsigned long long now_ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}

/// Every thread of `threads` a block posts `n` WQEs into a ring of its own, a doorbell a batch.
__global__ void stream(const Ring* rings, Order o, unsigned batch, unsigned n, long long* took) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  const Ring r = rings[me];
  for (int round = 0; round < 2; ++round) {  // the first warms caches and clocks
    __syncthreads();
    const long long begin = clock64();
    for (unsigned i = 0; i < n;) {
      for (unsigned k = 0; k < batch; ++k, ++i) {
        build(r, i);
        store4(r.state, i);
      }
      announce(r, i, o);
    }
    took[me] = clock64() - begin;
  }
}

enum Before { nothing, post_before, poll_hbm, poll_acquire, sleep_4us, cqe_of_other_sm, cqe_and_acquire, fence_before, befores };
static const char* const before_names[] = {"nothing",      "a post",       "poll 4us",     "poll 4us + acquire",
                                           "sleep 4us",    "CQE by SM",    "CQE by SM + acquire", "fence"};

__device__ void prepare(const Ring& r, Before b, unsigned i, Order o) {
  const unsigned long long until = now_ns() + 4000;
  switch (b) {
    case nothing: break;
    case post_before: build(r, i + 7), store4(r.state, i), announce(r, i, o); break;
    case poll_hbm: while (now_ns() < until) load4(r.cqe); break;
    case poll_acquire: while (now_ns() < until) load4(r.cqe); fence_acq_rel_gpu(); break;
    case sleep_4us: while (now_ns() < until) __nanosleep(500); break;
    case cqe_of_other_sm: while (load4(r.cqe) != i) {} break;
    case cqe_and_acquire: while (load4(r.cqe) != i) {} fence_acq_rel_gpu(); break;
    case fence_before: fence_acq_rel_gpu(); break;
    default: break;
  }
}

/// Block 0 posts one at a time and times the call and its fence; block 1 plays the NIC: sees the record,
/// reads the WQE, and writes a CQE some 3 us later.
__global__ void after(const Ring* rings, Order o, Before b, unsigned n, unsigned* issue, unsigned* fences) {
  const Ring r = rings[0];
  if (blockIdx.x == 1) {
    unsigned sum = 0;
    for (unsigned i = 1; i <= n; ++i) {
      while (load4(r.record) < i) {}
      const unsigned long long until = now_ns() + 3000;
      for (int k = 0; k < 4; ++k) sum += load4(reinterpret_cast<unsigned*>(r.slots + (i % depth) * 4 + k));
      while (now_ns() < until) {}
      store4(r.cqe, i + (sum == 0xffffffffu));
    }
    return;
  }
  for (unsigned i = 1; i <= n; ++i) {
    const long long t0 = clock64();
    build(r, i);
    store4(r.state, i);
    const long long t1 = clock64();
    order(o);
    const long long t2 = clock64();
    store4(r.record, i);
    if (o == gpu_fence_dbr) order(o);
    ring_bell(r.doorbell, i);
    issue[i - 1] = clock64() - t0;
    fences[i - 1] = t2 - t1;
    prepare(r, b, i, o);
  }
}

enum Share { lock_each, hand_off, warp_group, shares };
static const char* const share_names[] = {"lock", "handoff", "warp"};

__device__ void post_locked(const Ring& r, Order o) {
  while (atomicCAS(r.lock, 0u, 1u) != 0u) {}
  fence_acq_rel_gpu();
  const unsigned i = load4(r.state);
  build(r, i);
  store4(r.state, i + 1);
  announce(r, i + 1, o);
  fence_acq_rel_gpu();
  store4(r.lock, 0);
}
/// Whoever completes a batch announces it; else only the hand-off word moves on.
__device__ void post_in_order(const Ring& r, Order o, unsigned batch) {
  const unsigned i = atomicAdd(r.reserve, 1u);
  build(r, i);
  order(o);
  while (load4(r.ready) != i) {}
  if ((i + 1) % batch == 0) announce(r, i + 1, o);
  fence_acq_rel_gpu();
  store4(r.ready, i + 1);
}
__device__ void post_as_warp(const Ring& r, Order o) {
  unsigned base = 0;
  const unsigned lane = threadIdx.x % 32;
  if (lane == 0) base = atomicAdd(r.reserve, 32u);
  base = __shfl_sync(0xffffffffu, base, 0);
  build(r, base + lane);
  __syncwarp();
  if (lane == 0) {
    order(o);
    while (load4(r.ready) != base) {}
    announce(r, base + 32, none);
    fence_acq_rel_gpu();
    store4(r.ready, base + 32);
  }
  __syncwarp();
}
__global__ void shared(const Ring* rings, Share s, Order o, unsigned batch, unsigned n, long long* took) {
  const Ring r = rings[0];
  __syncthreads();
  const long long begin = clock64();
  for (unsigned i = 0; i < n; ++i) {
    if (s == lock_each) post_locked(r, o);
    else if (s == hand_off) post_in_order(r, o, batch);
    else post_as_warp(r, o);
  }
  took[threadIdx.x] = clock64() - begin;
}

/// One thread: an atomic on an L2 line, a dependent load of one.
__global__ void single(const Ring* rings, unsigned n, double* cycles) {
  const Ring r = rings[0];
  long long t = clock64();
  unsigned v = 0;
  for (unsigned i = 0; i < n; ++i) v += atomicAdd(r.reserve, 1u + (v == 0xffffffffu));
  cycles[0] = double(clock64() - t) / n;
  t = clock64();
  for (unsigned i = 0; i < n; ++i) v += load4(r.cqe + (v == 0xffffffffu));
  cycles[1] = double(clock64() - t) / n;
  t = clock64();
  const unsigned long long ns = now_ns();
  while (now_ns() < ns + 10'000'000) {}
  cycles[2] = double(clock64() - t) / 10e6;
  r.cqe[8] = v;
}

template <class T>
static T* device(size_t n) {
  T* p;
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  CHECK(cudaMemset(p, 0, n * sizeof(T)));
  return p;
}

int main() {
  constexpr unsigned most = 1024;
  std::vector<Ring> host(most);
  unsigned long long* bells;
  CHECK(cudaHostAlloc(&bells, most * 64, cudaHostAllocMapped));
  auto* slots = device<uint4>(size_t(most) * depth * 4);
  auto* words = device<unsigned>(size_t(most) * 6 * 32);
  for (unsigned i = 0; i < most; ++i) {
    unsigned* w = words + size_t(i) * 6 * 32;
    host[i] = {slots + size_t(i) * depth * 4, w, w + 32, w + 64, w + 96, w + 128, bells + i * 8, w + 160};
  }
  auto* rings = device<Ring>(most);
  CHECK(cudaMemcpy(rings, host.data(), most * sizeof(Ring), cudaMemcpyHostToDevice));
  auto* took = device<long long>(most);
  auto* cycles = device<double>(4);
  const auto clear = [&] { CHECK(cudaMemset(words, 0, size_t(most) * 6 * 32 * 4)); };

  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  single<<<1, 1>>>(rings, 4096, cycles);
  double c[3];
  CHECK(cudaMemcpy(c, cycles, sizeof c, cudaMemcpyDeviceToHost));
  const double ghz = c[2];
  std::printf("gpu: %s\nclock_ghz: %.4f\natomic_ns: %.1f\nload_l2_ns: %.1f\n", prop.name, ghz, c[0] / ghz, c[1] / ghz);

  std::vector<long long> t(most);
  const auto slowest = [&](unsigned threads) {
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(t.data(), took, threads * sizeof(long long), cudaMemcpyDeviceToHost));
    return double(*std::max_element(t.begin(), t.begin() + threads)) / ghz;
  };
  std::printf("# stream: order batch threads_per_sm sms ns_per_wqe_and_thread Mmsg_s\n");
  const auto run_stream = [&](Order o, unsigned batch, unsigned threads, unsigned sms) {
    clear();
    const unsigned n = 4096;
    stream<<<sms, threads>>>(rings, o, batch, n, took);
    const double ns = slowest(threads * sms) / n;
    std::printf("- {stream: %s, batch: %u, threads: %u, sms: %u, ns: %.1f, rate: %.2f}\n", order_names[o], batch, threads, sms,
                ns, threads * sms / ns * 1e3);
  };
  for (int o = 0; o < orders; ++o)
    for (unsigned batch : {1u, 4u, 16u}) run_stream(Order(o), batch, 1, 1);
  for (unsigned batch : {2u, 8u, 32u, 64u}) run_stream(gpu_fence, batch, 1, 1);
  for (unsigned threads : {2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u})
    for (unsigned batch : {1u, 16u}) run_stream(gpu_fence, batch, threads, 1);
  for (unsigned sms : {2u, 16u, 64u})
    for (unsigned batch : {1u, 16u}) run_stream(gpu_fence, batch, 1, sms);
  for (unsigned batch : {1u, 16u}) run_stream(gpu_fence, batch, 16, 16);

  std::printf("# after: order before issue_p50_ns fence_p50_ns\n");
  const unsigned n = 2000;
  auto* issue = device<unsigned>(n);
  auto* fences = device<unsigned>(n);
  const auto median = [&](unsigned* p) {
    std::vector<unsigned> v(n);
    CHECK(cudaMemcpy(v.data(), p, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    std::sort(v.begin(), v.end());
    return v[n / 2] / ghz;
  };
  for (int o = 0; o < orders; ++o)
    for (int b = 0; b < befores; ++b) {
      clear();
      after<<<2, 1>>>(rings, Order(o), Before(b), n, issue, fences);
      CHECK(cudaDeviceSynchronize());
      std::printf("- {after: %s, order: %s, issue_ns: %.1f, fence_ns: %.1f}\n", before_names[b], order_names[o], median(issue),
                  median(fences));
    }

  std::printf("# shared: kind batch threads ns_per_wqe Mmsg_s\n");
  const auto run_shared = [&](Share s, unsigned batch, unsigned threads) {
    const unsigned each = s == lock_each ? 256 : 1024;
    double ns = 0;
    for (int round = 0; round < 2; ++round) {
      clear();
      shared<<<1, threads>>>(rings, s, gpu_fence, batch, each, took);
      ns = slowest(threads) / (double(each) * threads);
    }
    std::printf("- {shared: %s, batch: %u, threads: %u, ns: %.1f, rate: %.2f}\n", share_names[s], batch, threads, ns, 1e3 / ns);
    std::fflush(stdout);
  };
  for (unsigned threads : {1u, 2u, 8u, 32u, 64u}) run_shared(lock_each, 1, threads);
  for (unsigned threads : {1u, 2u, 8u, 32u, 256u})
    for (unsigned batch : {1u, 32u}) run_shared(hand_off, batch, threads);
  for (unsigned threads : {32u, 64u, 128u, 256u}) run_shared(warp_group, 32, threads);
  return 0;
}
