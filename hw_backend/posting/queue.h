// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "hw_backend/posting/wqe.h"
#include "traces/result/names.h"

namespace gicsim::hw::posting {

constexpr std::uint32_t depth_most = 32768;  ///< so that 16-bit counters tell old from new

/// What a poster keeps of a queue, in its own memory: whole counts, where the wire carries 16 bits. All 0 at the start.
struct alignas(128) QueueState {
  std::uint32_t posted, completed;  ///< WQEs announced; WQEs known to be done
  std::uint32_t cqes;               ///< taken
  alignas(32) std::uint32_t lock;
  alignas(32) std::uint32_t reserved;  ///< slots handed out, where threads share the queue
  alignas(32) std::uint32_t announced;
};

/// A send queue and its completion queue as the poster sees them: what mlx5dv_init_obj tells of a QP and a CQ, or what a
/// DEVX QP was made of, with each address translated to the poster's own. The CQ ignores overrun, so nobody writes its
/// record. Before the first post CQ memory reads 0xff (opcode `unused`).
struct Queue {
  Segment* slots = nullptr;           ///< depth x 64 B
  std::uint32_t* record = nullptr;    ///< doorbell record: [0] receive, [1] send
  std::uint64_t* doorbell = nullptr;  ///< first half of the register page
  Cqe* completions = nullptr;
  QueueState* state = nullptr;
  std::uint32_t depth = 0, completion_depth = 0;  ///< powers of two, depth_most at most
  bool collapsed = false;                         ///< each CQE overwrites the first
  std::uint32_t qpn = 0, lkey = 0, rkey = 0;
  std::uint64_t local = 0, remote = 0;  ///< payload as the NIC addresses it: where from, where to
  std::uint64_t* source = nullptr;      ///< `local` as the poster sees it; null: it isn't written
  std::uint64_t* inbox = nullptr;       ///< where the other side's puts arrive, as the poster sees it; null: nowhere
};

enum class Seen : std::uint32_t { nothing, done, error };
/// What the last word of the CQE that is due says; of a collapsed queue, of its only one. Counts what it takes.
/// @post done: WQEs up to its counter are completed, none that wasn't posted
GICSIM_HD inline Seen take(const Queue& queue, QueueState& state, std::uint32_t tail) {
  const CqeTail t = decode_tail(tail);
  const auto newly = static_cast<std::uint16_t>(t.counter + 1U - state.completed);
  if (t.opcode == CqeOpcode::unused || newly == 0 || newly > state.posted - state.completed) return Seen::nothing;
  if (!queue.collapsed && t.owner != cqe_owner(state.cqes, queue.completion_depth)) return Seen::nothing;
  ++state.cqes;
  if (t.opcode != CqeOpcode::request) return Seen::error;
  state.completed += newly;
  return Seen::done;
}
/// Where that CQE is.
GICSIM_HD inline Cqe* due(const Queue& queue, const QueueState& state) {
  return queue.completions + (queue.collapsed ? 0 : state.cqes & (queue.completion_depth - 1));
}

/// How one operation is posted.
struct Post {
  Ordering ordering = Ordering::gpu_fence;
  Payload payload = Payload::inlined;  ///< of a write; one that is inlined carries inline_most at most
  Opcode opcode = Opcode::write;
  std::uint32_t bytes = 8;
};

/// Why a kernel gave up. In memory that the CPU reads; `what` is none while all is well.
struct Stuck {
  enum What : std::uint32_t { none, completion, error_completion, inbox, doorbell, refused, turn };
  std::uint32_t what;
  std::uint32_t queue;     ///< which of those given
  std::uint32_t index;     ///< of the WQE, or the value awaited
  std::uint32_t found;     ///< last word of the CQE; what stands in the inbox
  std::uint32_t syndrome;  ///< of an error CQE: word 13
};
/// In one line. @pre what isn't none
std::string to_text(const Stuck& stuck);

}  // namespace gicsim::hw::posting
