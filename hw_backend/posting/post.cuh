// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_backend/posting/queue.h"

/// Device code that posts to a Queue and polls it: what launch_*() are made of.
namespace gicsim::hw::posting {

__device__ inline void fence_acq_rel_gpu() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
__device__ inline void fence_acq_rel_sys() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }
__device__ inline void fence_sc_gpu() { asm volatile("fence.sc.gpu;" ::: "memory"); }
__device__ inline void fence_sc_sys() { asm volatile("fence.sc.sys;" ::: "memory"); }

__device__ inline void store16(Segment* p, const Segment& s) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(s.word[0]), "r"(s.word[1]), "r"(s.word[2]), "r"(s.word[3])
               : "memory");
}
__device__ inline void store4(std::uint32_t* p, std::uint32_t v) {
  asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ inline void store8(std::uint64_t* p, std::uint64_t v) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}
__device__ inline void store4_own(std::uint32_t* p, std::uint32_t v) {  // for threads of this GPU
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ inline std::uint32_t load4(const std::uint32_t* p) {
  std::uint32_t v;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ inline std::uint32_t load4_own(const std::uint32_t* p) {
  std::uint32_t v;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ inline std::uint64_t load8(const std::uint64_t* p) {
  std::uint64_t v;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
  return v;
}
__device__ inline Segment load16(const Segment* p) {
  Segment s;
  asm volatile("ld.relaxed.sys.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(s.word[0]), "=r"(s.word[1]), "=r"(s.word[2]), "=r"(s.word[3])
               : "l"(p)
               : "memory");
  return s;
}
/// A device's register: never merged with another store.
__device__ inline void store_doorbell(std::uint64_t* p, std::uint64_t v) {
  asm volatile("st.mmio.relaxed.sys.global.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}
__device__ inline std::uint64_t now_ns() {
  std::uint64_t t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)::"memory");
  return t;
}

/// Of a wait: most turns cost a comparison, each 1024th looks at the timer.
class Patience {
 public:
  __device__ explicit Patience(std::uint64_t limit_ns) : limit_(limit_ns) {}
  __device__ bool over() {
    if (++turns_ % 1024 != 0) return false;
    if (began_ == 0) began_ = now_ns();
    return now_ns() - began_ > limit_;
  }

 private:
  std::uint64_t limit_, began_ = 0;
  std::uint32_t turns_ = 0;
};

/// The first one to report is heard.
__device__ inline bool report(Stuck* stuck, Stuck::What what, std::uint32_t queue, std::uint32_t index, std::uint32_t found,
                              std::uint32_t syndrome = 0) {
  if (load4(&stuck->what) != Stuck::none) return false;
  store4(&stuck->queue, queue), store4(&stuck->index, index), store4(&stuck->found, found), store4(&stuck->syndrome, syndrome);
  fence_acq_rel_sys();
  store4(&stuck->what, what);
  return false;
}

/// What all WQEs of a kernel have in common, worked out once: a post is then stores and hardly a branch.
struct Shape {
  std::uint32_t opcode, size;  ///< of the control segment; `size` is its whole second word
  Segment remote, third, fourth;
  bool inlined, cas, immediate, four;
};
__device__ inline Shape shape_of(const Queue& q, const Post& post) {
  const bool atomic = is_atomic(post.opcode);
  Shape s{};
  s.inlined = post.payload == Payload::inlined && !returns_data(post.opcode);
  s.cas = post.opcode == Opcode::cas;
  s.immediate = post.opcode == Opcode::write_imm;
  const unsigned size = wqe_size(post.opcode, s.inlined, post.bytes);
  s.four = size == 4;
  s.opcode = static_cast<std::uint32_t>(post.opcode);
  s.size = control(post.opcode, 0, q.qpn, size, 0).word[1];
  s.remote = remote_address(q.remote, q.rkey);
  const Segment data = local_data(post.bytes, q.lkey, q.local);
  s.third = s.inlined ? inline_data(post.bytes, 0, 0, 0) : atomic ? atomic_operands(1, 0) : data;
  if (atomic) s.fourth = data;
  return s;
}

/// @param value  an inline payload; of an atomic, what follows from it: compare value - 1, swap in value, add 1
/// @return the control segment, which the doorbell repeats
__device__ inline Segment build(const Queue& q, const Shape& s, std::uint32_t index, std::uint64_t value, bool signaled) {
  Segment* slot = q.slots + static_cast<std::size_t>(index & (q.depth - 1)) * 4;
  const Segment first = {{be32((index & 0xffffU) << 8U | s.opcode), s.size, signaled ? be32(want_cqe) : 0, s.immediate ? be32(index) : 0}};
  Segment third = s.third;
  if (s.inlined) third.word[1] = static_cast<std::uint32_t>(value), third.word[2] = static_cast<std::uint32_t>(value >> 32U);
  if (s.cas) third = atomic_operands(value, value - 1);
  store16(slot, first);
  store16(slot + 1, s.remote);
  store16(slot + 2, third);
  if (s.four) store16(slot + 3, s.fourth);
  store4_own(&q.state->posted, index + 1);
  return first;
}

/// What makes all that was stored before visible, ahead of the record. The names are gicsim's orderings.
template <Ordering o>
__device__ void order() {
  if constexpr (o == Ordering::gpu_fence || o == Ordering::gpu_fence_dbr) fence_acq_rel_gpu();
  else if constexpr (o == Ordering::threadfence) fence_sc_gpu();
  else if constexpr (o == Ordering::sys_fence) fence_sc_sys();  // else nothing, or the record's own store orders
}
template <Ordering o>
__device__ void write_record(const Queue& q, std::uint32_t next) {
  std::uint32_t* record = q.record + 1;
  const std::uint32_t v = record_of(next);
  if constexpr (o == Ordering::gpu_release) asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(record), "r"(v) : "memory");
  else if constexpr (o == Ordering::sys_release) asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(record), "r"(v) : "memory");
  else store4(record, v);
}
/// Everything up to `last`, the control segment of WQE next - 1.
template <Ordering o>
__device__ void announce(const Queue& q, std::uint32_t next, const Segment& last) {
  order<o>();
  write_record<o>(q, next);
  if constexpr (o == Ordering::gpu_fence_dbr) order<o>();
  store_doorbell(q.doorbell, doorbell_of(last));
}

/// Until WQE `index` is done. @return false: it isn't, and the reason stands in *stuck
__device__ inline bool wait_for(const Queue& q, QueueState& state, std::uint32_t index, std::uint64_t limit_ns, std::uint32_t number,
                                Stuck* stuck) {
  Patience patience(limit_ns);
  while (static_cast<std::int32_t>(state.completed - index) <= 0) {
    const Cqe* cqe = due(q, state);
    const std::uint32_t tail = load4(&cqe->word[15]);
    switch (take(q, state, tail)) {
      case Seen::done: continue;
      case Seen::error:
        fence_acq_rel_sys();
        return report(stuck, Stuck::error_completion, number, index, tail, load4(&cqe->word[13]));
      case Seen::nothing: break;
    }
    if (patience.over()) return report(stuck, Stuck::completion, number, index, tail);
  }
  return true;
}

}  // namespace gicsim::hw::posting
