// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::paths {

/// Instruction costs of a communication library on the GPU, in SM cycles.
struct LibraryParams {
  Cycles call;
  Cycles call_read;
  Cycles completion;
  Cycles receive;
  Cycles quiet_queue = 449_cycles;
  bool inlines = true;
};

template <class V>
constexpr void describe(V&& v, LibraryParams& p) {
  v("call", p.call, "instructions of a put before its WQE is built", by_part, within(0_cycles, 1'000'000_cycles));
  v("call_read", p.call_read, "further ones when the payload isn't inline", by_part,
    within(0_cycles, 1'000'000_cycles));
  v("completion", p.completion, "instructions after the CQE is seen: order, update the queue, return",
    by_part, within(0_cycles, 1'000'000_cycles));
  v("receive", p.receive, "receiver: from the flag seen to the next call (acquire, turn-round)", by_part,
    within(0_cycles, 1'000'000_cycles));
  v("quiet_queue", p.quiet_queue, "a quiet over all queue pairs, for each further one beside the load of its CQE",
    assumed("A-130"), within(0_cycles, 1'000'000_cycles));
  v("inlines", p.inlines, "puts small payloads into the WQE", by_part);
}
static_assert(fully_described<LibraryParams>());

/// Payload that fits into the 16 B request that a GPU thread hands to a proxy.
inline constexpr Bytes request_inline = 8_B;

/// Where the GPU looks for a proxy's completion.
enum class Completion { gpu, host };
constexpr auto names_of(Completion) { return std::array<std::string_view, 2>{"gpu", "host"}; }

/// How the GPU knows that a request's slot is free: it reads the counter before each use, or keeps a
/// copy and reads again when by that the ring is full.
enum class Progress { cached, read };
constexpr auto names_of(Progress) { return std::array<std::string_view, 2>{"cached", "read"}; }

/// A CPU proxy: what the GPU does to hand over a request, what the worker does with it.
struct ProxyParams {
  Cycles enqueue;
  bool reserve = false;
  Progress progress = Progress::cached;
  bool publish_fence = false;
  Cycles loop;
  Cycles look = 8_cycles;
  Cycles work;
  Cycles work_more;
  Count misses = 1;
  Cycles shared_work = 0_cycles;
  bool blueflame = true;
  bool inlines = true;
  Completion completion = Completion::gpu;
  Cycles completion_work;
  Count completion_misses = 1;
  bool receive_fence = false;
  Cycles gpu_completion;
  Cycles receive;
};

template <class V>
constexpr void describe(V&& v, ProxyParams& p) {
  v("enqueue", p.enqueue, "GPU instructions of the call before the request is stored", by_part,
    within(0_cycles, 1'000'000_cycles));
  v("reserve", p.reserve, "a device atomic hands out the slots of a ring, so that threads may share one", by_part);
  v("progress", p.progress, "read: the counter before each use of a slot; cached: when the ring looks full", by_part);
  v("publish_fence", p.publish_fence, "a system-scope release publishes the request; else one 16 B store does",
    by_part);
  v("loop", p.loop,
    "one turn of the idle worker's loop over one ring and one queue pair: what comes waits half of it (CPU cycles)",
    by_part, within(0_cycles, 10'000'000_cycles));
  v("look", p.look, "that loop's further cycles for each further ring or queue pair", assumed("A-121"),
    within(0_cycles, 1'000'000_cycles));
  v("work", p.work, "worker, from a request seen to its post (CPU cycles)", by_part,
    within(0_cycles, 10'000'000_cycles));
  v("work_more", p.work_more, "the same for each further request of a batch (CPU cycles)", by_part,
    within(0_cycles, 10'000'000_cycles));
  v("misses", p.misses, "cache misses of that work when the core is cold", by_part, within(0, 1000));
  v("shared_work", p.shared_work,
    "of a request, on a state that all workers of a node share: one at a time (CPU cycles)", assumed("A-122"),
    within(0_cycles, 10'000'000_cycles));
  v("blueflame", p.blueflame, "the WQE is pushed with the doorbell; else the NIC fetches it", by_part);
  v("inlines", p.inlines, "small payloads travel in the request and in the WQE", by_part);
  v("completion", p.completion, "memory that holds the counter which the GPU polls", by_part);
  v("completion_work", p.completion_work, "worker, from a CQE seen to the counter stored (CPU cycles)",
    by_part, within(0_cycles, 10'000'000_cycles));
  v("completion_misses", p.completion_misses, "cache misses of that work when the core is cold", by_part,
    within(0, 1000));
  v("receive_fence", p.receive_fence, "the receiver acquires at system scope", by_part);
  v("gpu_completion", p.gpu_completion, "GPU instructions after the counter is seen", by_part,
    within(0_cycles, 1'000'000_cycles));
  v("receive", p.receive, "receiver: from the flag seen to the next call", by_part,
    within(0_cycles, 1'000'000_cycles));
}
static_assert(fully_described<ProxyParams>());

/// The verbs library on a CPU thread, in cycles of its core.
struct VerbsParams {
  Cycles post;
  Cycles post_more;
  Count misses = 2;
  bool blueflame = true;
  bool inlines = true;
  Cycles loop;
  Cycles completion;
  Count completion_misses = 1;
  Cycles receive;
  Cycles ring;
  Count ring_misses = 1;
};

template <class V>
constexpr void describe(V&& v, VerbsParams& p) {
  v("post", p.post, "a post of one request: build its WQE, ring", by_part, within(0_cycles, 10'000'000_cycles));
  v("post_more", p.post_more, "each further request of the same post", by_part, within(0_cycles, 10'000'000_cycles));
  v("misses", p.misses, "cache misses of a post when the core is cold", by_part, within(0, 1000));
  v("blueflame", p.blueflame, "a single WQE of up to 256 B is pushed with the doorbell; else the NIC fetches it",
    by_part);
  v("inlines", p.inlines, "puts payloads that lie in host memory into the WQE, up to nic.inline_max", by_part);
  v("loop", p.loop, "one turn of a polling loop", by_part, within(0_cycles, 10'000'000_cycles));
  v("completion", p.completion, "from a CQE seen to the poll's return", by_part, within(0_cycles, 10'000'000_cycles));
  v("completion_misses", p.completion_misses, "cache misses of that when the core is cold", by_part, within(0, 1000));
  v("receive", p.receive, "receiver: from the flag seen to the next call", by_part,
    within(0_cycles, 10'000'000_cycles));
  v("ring", p.ring, "cpu_doorbell: from a published index seen to its doorbell", by_part,
    within(0_cycles, 10'000'000_cycles));
  v("ring_misses", p.ring_misses, "cache misses of that when the core is cold", by_part, within(0, 1000));
}
static_assert(fully_described<VerbsParams>());

/// The CUDA runtime's calls on a CPU thread, in cycles of its core.
struct RuntimeParams {
  Cycles launch;
  Cycles copy;
  Cycles memory_operation;
  Cycles loop;
  Cycles synchronize;
  Bytes bounce;
  Count ahead = 16;
  Cycles window_copy = 40_cycles;
};

template <class V>
constexpr void describe(V&& v, RuntimeParams& p) {
  v("launch", p.launch, "the call that launches a kernel, until the GPU's doorbell is rung", by_part,
    within(0_cycles, 100'000'000_cycles));
  v("copy", p.copy, "the call of an asynchronous copy, likewise", by_part, within(0_cycles, 100'000'000_cycles));
  v("memory_operation", p.memory_operation, "the call of one batch of a stream's memory operations, likewise", by_part,
    within(0_cycles, 100'000'000_cycles));
  v("loop", p.loop, "one turn of the loop that waits for a stream", by_part, within(0_cycles, 10'000'000_cycles));
  v("synchronize", p.synchronize, "from the stream's release seen to the call's return", by_part,
    within(0_cycles, 100'000'000_cycles));
  v("bounce", p.bounce, "pageable memory is copied in such pieces, each through a pinned buffer", by_part,
    within(4_KiB, 1_GiB));
  v("ahead", p.ahead, "stream_triggered: operations that the CPU has queued in advance", by_part, within(1, 1024));
  v("window_copy", p.window_copy, "the call of a copy by the CPU to a mapped window of the GPU, stores and fence apart",
    assumed("A-220"), within(0_cycles, 1'000'000_cycles));
}
static_assert(fully_described<RuntimeParams>());

/// What the first use of a connection costs where it isn't set up in advance.
struct SetupParams {
  Picoseconds connect = 500us;
  Picoseconds registration = 84us;
  Picoseconds registration_per_mib = 50us;
};

template <class V>
constexpr void describe(V&& v, SetupParams& p) {
  v("connect", p.connect, "make a queue pair, exchange its address, bring both ends up", assumed("A-080"),
    within(0ns, 10s));
  v("registration", p.registration, "register a memory region, whatever its size", assumed("A-081"), within(0ns, 10s));
  v("registration_per_mib", p.registration_per_mib, "and each MiB of it: pin its pages", assumed("A-081"),
    within(0ns, 1s));
}
static_assert(fully_described<SetupParams>());

/// What software does about a device that failed.
struct RecoveryParams {
  Picoseconds detect = 1ms;
  Picoseconds reinit = 2s;
};

template <class V>
constexpr void describe(V&& v, RecoveryParams& p) {
  v("detect", p.detect, "until the driver has noticed, and ends the queue pairs of a NIC with error CQEs",
    assumed("A-161"), within(0ns, 100s));
  v("reinit", p.reinit, "from the fault until the device is reset, set up and usable again", assumed("A-162"),
    within(0ns, 1000s));
}
static_assert(fully_described<RecoveryParams>());

}  // namespace gicsim::paths
