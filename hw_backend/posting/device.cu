// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/posting/device.cuh"

#include <type_traits>

#include "hw_backend/gpu/cuda.h"
#include "hw_backend/posting/post.cuh"

namespace gicsim::hw::posting {
namespace {

__device__ void between(PutPlan::Before before, const Queue& q) {
  const std::uint64_t until = now_ns() + 4000;
  switch (before) {
    case PutPlan::nothing: return;
    case PutPlan::poll:
    case PutPlan::poll_acquire:
      while (now_ns() < until) load4(&q.state->lock);
      if (before == PutPlan::poll_acquire) fence_acq_rel_gpu();
      return;
    case PutPlan::sleep:
      while (now_ns() < until) __nanosleep(500);
      return;
    case PutPlan::fence: fence_acq_rel_gpu(); return;
  }
}

template <Ordering o>
__global__ void put(PutPlan plan, Queue q, PutTimes* times, Stuck* stuck) {
  QueueState state = *q.state;
  const Shape shape = shape_of(q, plan.post);
  for (std::uint32_t i = 0; i < plan.iterations; ++i) {
    const std::uint32_t index = state.posted;
    const long long start = clock64();
    const Segment last = build(q, shape, index, index + 1, plan.wait);
    announce<o>(q, ++state.posted, last);
    const long long issued = clock64();
    long long done = issued;
    if (plan.wait) {
      if (!wait_for(q, state, index, plan.limit_ns, 0, stuck)) return;
      done = clock64();
      if (returns_data(plan.post.opcode)) fence_acq_rel_sys();
    }
    times[i] = {static_cast<std::uint32_t>(issued - start), static_cast<std::uint32_t>(done - start)};
    between(plan.before, q);
  }
  *q.state = state;
}

__device__ bool await_value(const Queue& q, std::uint64_t value, std::uint64_t limit_ns, Stuck* stuck) {
  Patience patience(limit_ns);
  for (;;) {
    const std::uint64_t found = load8(q.inbox);
    if (found == value) return true;
    if (patience.over())
      return report(stuck, Stuck::inbox, 0, static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(found));
  }
}

/// Both sides post once a turn, so that value and index go together.
template <Ordering o>
__global__ void ping_pong(PingPongPlan plan, Queue q, std::uint32_t* cycles, Stuck* stuck) {
  QueueState state = *q.state;
  const Shape shape = shape_of(q, plan.post);
  for (std::uint32_t i = 0; i < plan.iterations; ++i) {
    const std::uint32_t index = state.posted;
    const std::uint64_t value = index + 1ULL;
    if (!plan.first && !await_value(q, value, plan.limit_ns, stuck)) return;
    const long long start = clock64();
    if (plan.post.payload == Payload::read) store8(q.source, value);
    const Segment last = build(q, shape, index, value, true);
    announce<o>(q, ++state.posted, last);
    if (plan.first) {
      if (!await_value(q, value, plan.limit_ns, stuck)) return;
      cycles[i] = static_cast<std::uint32_t>(clock64() - start);
    }
    // CQEs are collected when half of the queue is full: a turn doesn't wait for its own.
    const bool half = state.posted - state.completed > q.depth / 2, end = i + 1 == plan.iterations;
    if ((half || end) && !wait_for(q, state, index, plan.limit_ns, 0, stuck)) return;
  }
  *q.state = state;
}

/// A batch at a time, into a queue of the thread's own. @return posted; false in `well` when it got stuck
template <Ordering o>
__device__ std::uint32_t stream_own(const StreamPlan& plan, const Queue& q, const Shape& shape, QueueState& state,
                                    std::uint32_t number, std::uint32_t most, long long until, Stuck* stuck, bool& well) {
  std::uint32_t n = 0;
  while (n < most && (until == 0 || clock64() < until)) {
    if (plan.wait && state.posted + plan.batch - state.completed > q.depth) {
      well = wait_for(q, state, state.posted + plan.batch - q.depth - 1, plan.limit_ns, number, stuck);
      if (!well) return n;
    }
    Segment last{};
#pragma unroll 1
    for (std::uint32_t k = 0; k < plan.batch; ++k, ++n, ++state.posted)
      last = build(q, shape, state.posted, state.posted + 1, plan.wait && k + 1 == plan.batch);
    announce<o>(q, state.posted, last);
  }
  if (plan.wait) well = wait_for(q, state, state.posted - 1, plan.limit_ns, number, stuck);
  return n;
}

__device__ bool turn(const std::uint32_t* word, std::uint32_t mine, std::uint64_t limit_ns, Stuck* stuck) {
  Patience patience(limit_ns);
  while (load4_own(word) != mine)
    if (patience.over()) return report(stuck, Stuck::turn, 0, mine, load4_own(word));
  return true;
}

template <Ordering o>
__device__ bool post_locked(const StreamPlan& plan, const Queue& q, const Shape& shape, Stuck* stuck) {
  Patience patience(plan.limit_ns);
  while (atomicCAS(&q.state->lock, 0U, 1U) != 0)
    if (patience.over()) return report(stuck, Stuck::turn, 0, load4_own(&q.state->posted), 1);
  fence_acq_rel_gpu();
  const std::uint32_t index = load4_own(&q.state->posted);
  announce<o>(q, index + 1, build(q, shape, index, index + 1, false));
  fence_acq_rel_gpu();
  store4_own(&q.state->lock, 0);
  return true;
}
/// Whoever completes a batch announces it; else only the hand-off word moves on.
template <Ordering o>
__device__ bool post_in_order(const StreamPlan& plan, const Queue& q, const Shape& shape, Stuck* stuck) {
  const std::uint32_t index = atomicAdd(&q.state->reserved, 1U);
  const Segment last = build(q, shape, index, index + 1, false);
  order<o>();
  if (!turn(&q.state->announced, index, plan.limit_ns, stuck)) return false;
  if ((index + 1) % plan.batch == 0) announce<o>(q, index + 1, last);
  fence_acq_rel_gpu();
  store4_own(&q.state->announced, index + 1);
  return true;
}
/// One reservation and one doorbell a warp. Lane 31 built the last WQE.
template <Ordering o>
__device__ bool post_as_warp(const StreamPlan& plan, const Queue& q, const Shape& shape, Stuck* stuck) {
  const unsigned lane = threadIdx.x % 32;
  std::uint32_t base = lane == 31 ? atomicAdd(&q.state->reserved, 32U) : 0;
  base = __shfl_sync(0xffffffffU, base, 31);
  const Segment last = build(q, shape, base + lane, base + lane + 1, false);
  __syncwarp();
  bool well = true;
  if (lane == 31) {
    order<o>();
    well = turn(&q.state->announced, base, plan.limit_ns, stuck);
    if (well) {
      announce<Ordering::none>(q, base + 32, last);
      fence_acq_rel_gpu();
      store4_own(&q.state->announced, base + 32);
    }
  }
  return __shfl_sync(0xffffffffU, well, 31);
}

template <Ordering o>
__global__ void __launch_bounds__(block_most) stream_exclusive(StreamPlan plan, const Queue* queues, StreamTimes* times, Stuck* stuck) {
  const std::uint32_t me = blockIdx.x * blockDim.x + threadIdx.x;
  const Queue q = queues[me];
  QueueState state = *q.state;
  const Shape shape = shape_of(q, plan.post);
  bool well = true;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {  // the first one, short, fills caches
    __syncthreads();
    if (!well) break;
    const long long start = clock64();
    const long long until = round == 0 || plan.window == 0 ? 0 : start + static_cast<long long>(plan.window);
    const std::uint32_t most = round == 0 ? min(plan.each, 16 * plan.batch) : plan.each;
    const std::uint32_t n = stream_own<o>(plan, q, shape, state, me, most, until, stuck, well);
    times[me] = {static_cast<std::uint64_t>(clock64() - start), n};
  }
  *q.state = state;
}

template <Ordering o>
__global__ void __launch_bounds__(block_most) stream_shared(StreamPlan plan, const Queue* queues, StreamTimes* times, Stuck* stuck) {
  const Queue q = queues[0];
  const Shape shape = shape_of(q, plan.post);
  __syncthreads();
  const long long start = clock64();
  std::uint32_t n = 0;
  for (bool well = true; well && n < plan.each; ++n) {
    if (plan.sharing == Sharing::lock) well = post_locked<o>(plan, q, shape, stuck);
    else if (plan.sharing == Sharing::handoff) well = post_in_order<o>(plan, q, shape, stuck);
    else well = post_as_warp<o>(plan, q, shape, stuck);
  }
  times[blockIdx.x * blockDim.x + threadIdx.x] = {static_cast<std::uint64_t>(clock64() - start), n};
}

__global__ void doorbells(std::uint32_t in_a_row, std::uint32_t iterations, Queue q, std::uint32_t* cycles) {
  const std::uint32_t posted = q.state->posted;
  if (posted == 0) return;  // a NIC would take WQE 65535 for posted
  const std::uint64_t value = doorbell_of(control(Opcode::write, posted - 1, q.qpn, wqe_size(Opcode::write, true, 8), want_cqe));
  for (std::uint32_t i = 0; i < iterations; ++i) {
    const long long start = clock64();
    for (std::uint32_t k = 0; k < in_a_row; ++k) store_doorbell(q.doorbell, value);
    cycles[i] = static_cast<std::uint32_t>(clock64() - start);
  }
}

__global__ void count_cycles(double* ghz) {
  const std::uint64_t begin = now_ns();
  const long long start = clock64();
  std::uint64_t end = begin;
  while (end - begin < 10'000'000) end = now_ns();
  *ghz = static_cast<double>(clock64() - start) / static_cast<double>(end - begin);
}

/// An ordering becomes part of the kernel: a switch between its stores would be timed with them.
template <class With>
void with_ordering(Ordering o, With&& with) {
  switch (o) {
    case Ordering::none: return with(std::integral_constant<Ordering, Ordering::none>{});
    case Ordering::gpu_fence: return with(std::integral_constant<Ordering, Ordering::gpu_fence>{});
    case Ordering::gpu_fence_dbr: return with(std::integral_constant<Ordering, Ordering::gpu_fence_dbr>{});
    case Ordering::gpu_release: return with(std::integral_constant<Ordering, Ordering::gpu_release>{});
    case Ordering::threadfence: return with(std::integral_constant<Ordering, Ordering::threadfence>{});
    case Ordering::sys_release: return with(std::integral_constant<Ordering, Ordering::sys_release>{});
    case Ordering::sys_fence: return with(std::integral_constant<Ordering, Ordering::sys_fence>{});
  }
}

template <class Kernel>
void load(Kernel* kernel) {
  cudaFuncAttributes found{};
  GICSIM_CUDA(cudaFuncGetAttributes(&found, reinterpret_cast<const void*>(kernel)));
}

}  // namespace

void launch_put(const PutPlan& plan, const Queue& queue, PutTimes* times, Stuck* stuck, cudaStream_t stream) {
  with_ordering(plan.post.ordering, [&](auto o) { put<o.value><<<1, 1, 0, stream>>>(plan, queue, times, stuck); });
  GICSIM_CUDA(cudaGetLastError());
}

void launch_ping_pong(const PingPongPlan& plan, const Queue& queue, std::uint32_t* cycles, Stuck* stuck, cudaStream_t stream) {
  with_ordering(plan.post.ordering, [&](auto o) { ping_pong<o.value><<<1, 1, 0, stream>>>(plan, queue, cycles, stuck); });
  GICSIM_CUDA(cudaGetLastError());
}

void launch_stream(const StreamPlan& plan, const Queue* queues, StreamTimes* times, Stuck* stuck, cudaStream_t stream) {
  const std::uint32_t a_block = plan.threads / plan.sms;
  with_ordering(plan.post.ordering, [&](auto o) {
    if (plan.sharing == Sharing::exclusive)
      stream_exclusive<o.value><<<plan.sms, a_block, 0, stream>>>(plan, queues, times, stuck);
    else
      stream_shared<o.value><<<plan.sms, a_block, 0, stream>>>(plan, queues, times, stuck);
  });
  GICSIM_CUDA(cudaGetLastError());
}

void launch_doorbells(std::uint32_t in_a_row, std::uint32_t iterations, const Queue& queue, std::uint32_t* cycles,
                      cudaStream_t stream) {
  doorbells<<<1, 1, 0, stream>>>(in_a_row, iterations, queue, cycles);
  GICSIM_CUDA(cudaGetLastError());
}

void load_kernels() {
  for (std::size_t i = 0; i < names_of(Ordering{}).size(); ++i)
    with_ordering(static_cast<Ordering>(i), [](auto o) {
      load(put<o.value>), load(ping_pong<o.value>), load(stream_exclusive<o.value>), load(stream_shared<o.value>);
    });
  load(doorbells), load(count_cycles);
}

double clock_ghz() {
  gpu::HostArray<double> ghz(1);
  const gpu::Stream stream;
  count_cycles<<<1, 1, 0, stream>>>(ghz.data());
  GICSIM_CUDA(cudaGetLastError());
  stream.synchronize();
  return ghz[0];
}

}  // namespace gicsim::hw::posting
