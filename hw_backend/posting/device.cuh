// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "hw_backend/posting/queue.h"

/// Kernels that post to NIC queues and poll them. They know a Queue and nothing of who serves it: a ConnectX, a CPU thread,
/// another SM. Each ends by itself: what it waits for longer than `limit_ns` stands in *stuck, which the caller clears
/// before and reads after. Launches throw HardwareError. Pointers: the posting GPU can use them.
namespace gicsim::hw::posting {

/// In cycles of one SM's clock. `completion` is from the same start; it ends when the CQE is seen.
struct PutTimes {
  std::uint32_t issue, completion;
};

struct PutPlan {
  Post post;
  std::uint32_t iterations = 1000;
  /// What the thread does between one put and the next.
  enum Before : std::uint32_t { nothing, poll, poll_acquire, sleep, fence } before = nothing;
  bool wait = true;  ///< for the CQE, so that one is outstanding; false: nobody serves the queue
  std::uint64_t limit_ns = 2'000'000'000;
};
/// One thread, one put (get, atomic) after the other. Continues where the queue's state is.
/// @param times  one an iteration
void launch_put(const PutPlan& plan, const Queue& queue, PutTimes* times, Stuck* stuck, cudaStream_t stream);

struct PingPongPlan {
  Post post;  ///< a write of 8 B
  std::uint32_t iterations = 1000;
  bool first = true;  ///< this side begins; the other answers each value with the same
  std::uint64_t limit_ns = 2'000'000'000;
};
/// One thread. Side `first` writes 1, 2, … into the other's inbox and waits for each in its own.
/// @param cycles  round trips, one an iteration; null where not `first`
void launch_ping_pong(const PingPongPlan& plan, const Queue& queue, std::uint32_t* cycles, Stuck* stuck, cudaStream_t stream);

constexpr std::uint32_t block_most = 512;  ///< threads of an SM
struct StreamPlan {
  Post post;
  Sharing sharing = Sharing::exclusive;  ///< exclusive: thread i has queue i; else all have queue 0
  std::uint32_t threads = 1, sms = 1;    ///< in all, spread evenly; blocks, of block_most at most
  std::uint32_t batch = 1;               ///< WQEs a fence, record, doorbell and CQE
  std::uint32_t each = 4096;             ///< posts a thread, at most
  std::uint64_t window = 0;              ///< in cycles: no new batch after it; 0: until `each` are posted
  bool wait = true;  ///< for room in the queue, and at the end for all CQEs; false: nobody serves it. @pre exclusive
  std::uint64_t limit_ns = 2'000'000'000;
};
struct StreamTimes {
  std::uint64_t cycles;   ///< from the first store to the last doorbell, or to the last CQE with `wait`
  std::uint32_t posted;
};
/// Threads post as fast as their queues take it.
/// @param queues  one a thread (exclusive) or one, in memory that the GPU reads
/// @param times   one a thread
void launch_stream(const StreamPlan& plan, const Queue* queues, StreamTimes* times, Stuck* stuck, cudaStream_t stream);

/// One thread stores the doorbell again and again, the same value as the last time: a NIC finds nothing new.
/// @param cycles  each `in_a_row` stores
void launch_doorbells(std::uint32_t in_a_row, std::uint32_t iterations, const Queue& queue, std::uint32_t* cycles,
                      cudaStream_t stream);

/// Has every kernel of this file on the current device, so that none is loaded while another one spins.
void load_kernels();

/// Cycles of clock64 a nanosecond of this device under load, by its own nanosecond timer.
double clock_ghz();

}  // namespace gicsim::hw::posting
