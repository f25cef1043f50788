// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

/// The words that simulator and hardware back-end share. C++17 and the standard library only.
/// Each enum has its names beside it, in order of value.
namespace gicsim {

enum class Pattern { put, ping_pong, put_bw, message_rate };
constexpr auto names_of(Pattern) {
  return std::array<std::string_view, 4>{"put", "ping_pong", "put_bw", "message_rate"};
}

/// Threads post as fast as their queues take messages.
constexpr bool is_stream(Pattern p) { return p == Pattern::put_bw || p == Pattern::message_rate; }

enum class Path { gpu_direct, cpu_proxy };
constexpr auto names_of(Path) { return std::array<std::string_view, 2>{"gpu_direct", "cpu_proxy"}; }

/// What the posting thread executes between WQE, doorbell record and doorbell.
enum class Ordering { none, gpu_fence, gpu_fence_dbr, gpu_release, threadfence, sys_release, sys_fence };
constexpr auto names_of(Ordering) {
  return std::array<std::string_view, 7>{"none",        "gpu_fence",   "gpu_fence_dbr", "gpu_release",
                                         "threadfence", "sys_release", "sys_fence"};
}

/// Whether the payload travels in the WQE or is read by the NIC.
enum class Payload { inlined, read };
constexpr auto names_of(Payload) { return std::array<std::string_view, 2>{"inline", "read"}; }

/// The memory that holds send queue, completion queue and doorbell record.
enum class Queues { gpu, host };
constexpr auto names_of(Queues) { return std::array<std::string_view, 2>{"gpu", "host"}; }

/// How threads that post to one queue pair keep out of each other's way: each has its own; a lock
/// a WQE; slots reserved at once and published in that order; one reservation and doorbell a warp.
enum class Sharing { exclusive, lock, handoff, warp };
constexpr auto names_of(Sharing) {
  return std::array<std::string_view, 4>{"exclusive", "lock", "handoff", "warp"};
}

/// Who rings: whoever completes a batch; whoever has no successor that will.
enum class Doorbell { batch, latest };
constexpr auto names_of(Doorbell) { return std::array<std::string_view, 2>{"batch", "latest"}; }

enum class Status { done, stuck, ordering_violation, error_completion };
constexpr auto names_of(Status) {
  return std::array<std::string_view, 4>{"done", "stuck", "ordering_violation", "error_completion"};
}

enum class Origin { simulated, measured, published };
constexpr auto names_of(Origin) {
  return std::array<std::string_view, 3>{"simulated", "measured", "published"};
}

enum class Quantity { issue, one_way, put_completion, rtt, bandwidth, message_rate };
constexpr auto names_of(Quantity) {
  return std::array<std::string_view, 6>{"issue", "one_way",   "put_completion",
                                         "rtt",   "bandwidth", "message_rate"};
}
/// ASCII, fixed by the quantity: latency ns, bandwidth GB/s (decimal), rate Mmsg/s.
constexpr std::string_view unit_of(Quantity q) {
  return q == Quantity::bandwidth ? "GB/s" : q == Quantity::message_rate ? "Mmsg/s" : "ns";
}

/// The name of an enum value, by the table beside the enum.
template <class Enum>
constexpr std::string_view to_name(Enum value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

}  // namespace gicsim
