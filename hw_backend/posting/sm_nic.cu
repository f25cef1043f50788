// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/posting/sm_nic.cuh"

#include "hw_backend/gpu/cuda.h"
#include "hw_backend/posting/post.cuh"

namespace gicsim::hw::posting {
namespace {

__device__ void move(std::uint64_t to, std::uint64_t from, std::uint32_t bytes) {
  auto* target = reinterpret_cast<std::uint64_t*>(to);
  const auto* source = reinterpret_cast<const std::uint64_t*>(from);
  for (std::uint32_t i = 0; i < bytes / 8; ++i) store8(target + i, load8(source + i));
}

__device__ void move_inline(std::uint64_t to, const Segment& a, const Segment& b, std::uint32_t bytes) {
  auto* target = reinterpret_cast<std::uint64_t*>(to);
  const std::uint32_t words[7] = {a.word[1], a.word[2], a.word[3], b.word[0], b.word[1], b.word[2], b.word[3]};
#pragma unroll
  for (std::uint32_t i = 0; i < 3; ++i)
    if (i < bytes / 8) store8(target + i, static_cast<std::uint64_t>(words[2 * i + 1]) << 32U | words[2 * i]);
}

__device__ void execute(const Control& c, const Segment* slot) {
  const Segment r = load16(slot + 1), data = load16(slot + 2);
  const std::uint64_t remote = joined(r.word[0], r.word[1]);
  if (c.opcode == static_cast<std::uint8_t>(Opcode::read)) return move(joined(data.word[2], data.word[3]), remote, be32(data.word[0]));
  const bool cas = c.opcode == static_cast<std::uint8_t>(Opcode::cas);
  if (cas || c.opcode == static_cast<std::uint8_t>(Opcode::fadd)) {
    const Segment back = load16(slot + 3);
    auto* target = reinterpret_cast<unsigned long long*>(remote);
    const std::uint64_t operand = joined(data.word[0], data.word[1]);
    const std::uint64_t found =
        cas ? atomicCAS_system(target, joined(data.word[2], data.word[3]), operand) : atomicAdd_system(target, operand);
    return store8(reinterpret_cast<std::uint64_t*>(joined(back.word[2], back.word[3])), found);
  }
  const std::uint32_t first = be32(data.word[0]);
  if ((first & 0x80000000U) == 0) return move(remote, joined(data.word[2], data.word[3]), first);
  const std::uint32_t bytes = first & 0x3ffU;
  move_inline(remote, data, bytes > 12 ? load16(slot + 3) : Segment{}, bytes);
}

/// The payload is ordered before the CQE's last word.
__device__ void complete(const Queue& q, SmNicState& s, const Control& c, bool well) {
  Cqe* cqe = q.completions + (q.collapsed ? 0 : s.cqes & (q.completion_depth - 1));
  const unsigned owner = cqe_owner(s.cqes++, q.completion_depth);
  const Cqe made = well ? Cqe{} : Cqe{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, be32(0x02)}};  // a local operation error
  store4(&cqe->word[13], made.word[13]);
  store4(&cqe->word[14], be32(static_cast<std::uint32_t>(c.opcode) << 24U | c.qpn));
  const std::uint32_t tail = cqe_tail(well ? CqeOpcode::request : CqeOpcode::request_error, owner, c.index);
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(&cqe->word[15]), "r"(tail) : "memory");
}

/// @return false: refused
__device__ bool on_doorbell(const Queue& q, SmNicState& s, std::uint32_t number, Stuck* stuck) {
  const Control rung = decode_doorbell(s.doorbell);
  const auto ahead = static_cast<std::uint16_t>(rung.index + 1U - s.next);
  bool well = rung.qpn == q.qpn && ahead != 0 && ahead <= q.depth;
  for (std::uint32_t k = 0; well && k < ahead; ++k) {
    const Segment* slot = q.slots + static_cast<std::size_t>(s.next & (q.depth - 1)) * 4;
    const Control c = decode(load16(slot));
    well = c.qpn == q.qpn && c.index == static_cast<std::uint16_t>(s.next);
    if (!well) break;
    execute(c, slot);
    if ((c.flags & want_cqe) != 0) complete(q, s, c, true);
    ++s.next;
  }
  if (well) return true;
  complete(q, s, rung, false);
  return report(stuck, Stuck::refused, number, s.next, static_cast<std::uint32_t>(s.doorbell));
}

__global__ void serve(SmNicPlan plan, const Queue* queues, SmNicState* states, Stuck* stuck) {
  const std::uint32_t me = blockIdx.x;
  const Queue q = queues[me];
  SmNicState s = states[me];
  std::uint64_t looked = now_ns(), rang = looked;
  for (std::uint32_t turn = 1;; ++turn) {
    const std::uint64_t value = load8(q.doorbell);
    if (value != s.doorbell) {
      s.doorbell = value;
      if (!on_doorbell(q, s, me, stuck)) break;
      rang = 0;
      continue;
    }
    if (turn % 64 != 0) continue;
    const std::uint64_t now = now_ns();
    if (rang == 0) rang = now;
    if (now - looked < 20'000) continue;
    looked = now;
    if (load4(plan.stop) != 0) break;
    if (now - rang > plan.limit_ns) {
      report(stuck, Stuck::doorbell, me, s.next, 0);
      break;
    }
  }
  states[me] = s;
}

}  // namespace

void launch_sm_nic(const SmNicPlan& plan, const Queue* queues, SmNicState* states, Stuck* stuck, cudaStream_t stream) {
  serve<<<plan.queues, 1, 0, stream>>>(plan, queues, states, stuck);
  GICSIM_CUDA(cudaGetLastError());
}

void load_sm_nic() {
  cudaFuncAttributes found{};
  GICSIM_CUDA(cudaFuncGetAttributes(&found, serve));
}

}  // namespace gicsim::hw::posting
