// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Single instructions of a GPU thread, as PTX names them: what is timed must be neither moved nor left out.
namespace gicsim::hw::gpu {

using Word4 = unsigned;
using Word8 = unsigned long long;
using Word16 = uint4;

__device__ inline long long clock_now() {
  long long t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}
__device__ inline Word8 timer_now() {
  Word8 t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  return t;
}
/// The clock once `value` is there. A load leaves the thread at once, and only who uses what it brings waits for it.
/// @pre value isn't 2^64 - 1
__device__ inline long long clock_after(Word8 value) {
  long long t = 0;
  asm volatile("{.reg .pred p; setp.ne.u64 p, %1, 0xffffffffffffffff; @p mov.u64 %0, %%clock64;}"
               : "+l"(t)
               : "l"(value)
               : "memory");
  return t;
}

// Loads that no L1 may answer. The words of 16 B are each as good as a load of its own.
__device__ inline Word8 load(const Word4* p) {
  unsigned v;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ inline Word8 load(const Word8* p) {
  Word8 v;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
  return v;
}
__device__ inline Word8 load(const Word16* p) {
  uint4 v;
  asm volatile("ld.relaxed.sys.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p)
               : "memory");
  return v.x | v.y | v.z | v.w;
}

__device__ inline void store(Word4* p, unsigned v) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ inline void store(Word8* p, unsigned v) {
  asm volatile("st.global.u64 [%0], %1;" ::"l"(p), "l"(static_cast<Word8>(v)) : "memory");
}
__device__ inline void store(Word16* p, unsigned v) {
  asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(p), "r"(v) : "memory");
}
/// As a doorbell is rung.
__device__ inline void store_relaxed(Word8* p, Word8 v) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}
__device__ inline void fence_system() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }

/// Loads `p` until it holds at least `value`, or the timer shows `until`. @return what it held last
__device__ inline Word8 await(const Word8* p, Word8 value, Word8 until) {
  Word8 seen = load(p);
  for (unsigned turn = 1; seen < value; seen = load(p), ++turn)
    if (turn % 64 == 0 && timer_now() > until) break;
  return seen;
}

}  // namespace gicsim::hw::gpu
