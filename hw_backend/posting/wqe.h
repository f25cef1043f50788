// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define GICSIM_HD __host__ __device__
#else
#define GICSIM_HD
#endif

/// The bytes that an mlx5 device and its driver exchange: work queue elements (WQE), doorbell record, doorbell,
/// completion queue elements (CQE). One encoder for CPU and GPU. Fields are big-endian; a word here is as memory has it.
/// Source: rdma-core v44, providers/mlx5/mlx5dv.h.
namespace gicsim::hw::posting {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the words below are swapped");

enum class Opcode : std::uint8_t { write = 0x08, write_imm = 0x09, read = 0x10, cas = 0x11, fadd = 0x12 };
GICSIM_HD constexpr bool is_atomic(Opcode o) { return o == Opcode::cas || o == Opcode::fadd; }
/// It brings something back, which whoever sees the CQE reads next.
GICSIM_HD constexpr bool returns_data(Opcode o) { return o == Opcode::read || is_atomic(o); }

/// Flags of a control segment.
constexpr std::uint8_t want_cqe = 0x08, after_reads = 0x80;
constexpr unsigned wqe_bytes = 64, inline_most = 28;

/// The unit of a WQE's size (`ds`), and of a GPU's widest store.
struct alignas(16) Segment {
  std::uint32_t word[4];
};
/// One basic block. Everything here fits one, so that WQE i stands at slot i modulo the depth.
struct alignas(64) Wqe {
  Segment segment[4];
};

GICSIM_HD constexpr std::uint32_t be32(std::uint32_t v) {
  return v << 24U | (v & 0xff00U) << 8U | (v >> 8U & 0xff00U) | v >> 24U;
}
GICSIM_HD constexpr std::uint32_t high(std::uint64_t v) { return be32(static_cast<std::uint32_t>(v >> 32U)); }
GICSIM_HD constexpr std::uint32_t low(std::uint64_t v) { return be32(static_cast<std::uint32_t>(v)); }
GICSIM_HD constexpr std::uint64_t joined(std::uint32_t high, std::uint32_t low) {
  return static_cast<std::uint64_t>(be32(high)) << 32U | be32(low);
}

/// Segments of an inline payload: a header of 4 B and the bytes.
GICSIM_HD constexpr unsigned inline_segments(unsigned bytes) { return (4 + bytes + 15) / 16; }
/// In units of 16 B.
GICSIM_HD constexpr unsigned wqe_size(Opcode opcode, bool inlined, unsigned bytes) {
  return is_atomic(opcode) ? 4 : inlined ? 2 + inline_segments(bytes) : 3;
}

/// @param index  of the WQE, counted from the queue's start; its low 16 bits travel
/// @param size   of the whole WQE, in units of 16 B
GICSIM_HD constexpr Segment control(Opcode opcode, std::uint32_t index, std::uint32_t qpn, unsigned size,
                                    std::uint8_t flags, std::uint32_t immediate = 0) {
  return {{be32((index & 0xffffU) << 8U | static_cast<std::uint32_t>(opcode)), be32(qpn << 8U | size), be32(flags),
           be32(immediate)}};
}
GICSIM_HD constexpr Segment remote_address(std::uint64_t address, std::uint32_t rkey) {
  return {{high(address), low(address), be32(rkey), 0}};
}
GICSIM_HD constexpr Segment local_data(std::uint32_t bytes, std::uint32_t lkey, std::uint64_t address) {
  return {{be32(bytes), be32(lkey), high(address), low(address)}};
}
/// Compare-and-swap: what to put in, what must be there. Fetch-and-add: the summand, 0.
GICSIM_HD constexpr Segment atomic_operands(std::uint64_t swap_or_add, std::uint64_t compare) {
  return {{high(swap_or_add), low(swap_or_add), high(compare), low(compare)}};
}
/// The first segment of an inline payload: the header and up to 12 B; a second holds bytes 12 to 27 as they are.
GICSIM_HD constexpr Segment inline_data(std::uint32_t bytes, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return {{be32(0x80000000U | bytes), a, b, c}};
}

/// What stands in word [1] of the doorbell record ([0] is the receive queue's): the index of the next WQE.
GICSIM_HD constexpr std::uint32_t record_of(std::uint32_t next) { return be32(next & 0xffffU); }
/// What goes into the device's register in one store of 8 B: the last WQE's first two words.
GICSIM_HD constexpr std::uint64_t doorbell_of(const Segment& control) {
  return static_cast<std::uint64_t>(control.word[1]) << 32U | control.word[0];
}

/// A control segment, or a doorbell (which has no flags and no immediate), read.
struct Control {
  std::uint8_t opmod, opcode;
  std::uint16_t index;
  std::uint32_t qpn;
  unsigned size;  ///< in units of 16 B
  std::uint8_t flags;
  std::uint32_t immediate;
};
GICSIM_HD constexpr Control decode(const Segment& s) {
  const std::uint32_t a = be32(s.word[0]), b = be32(s.word[1]);
  return {static_cast<std::uint8_t>(a >> 24U),
          static_cast<std::uint8_t>(a),
          static_cast<std::uint16_t>(a >> 8U),
          b >> 8U,
          b & 0x3fU,
          static_cast<std::uint8_t>(be32(s.word[2])),
          be32(s.word[3])};
}
GICSIM_HD constexpr Control decode_doorbell(std::uint64_t value) {
  return decode({{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32U), 0, 0}});
}

enum class CqeOpcode : std::uint8_t { request = 0, responder_imm = 1, request_error = 13, response_error = 14, unused = 15 };

struct alignas(64) Cqe {
  std::uint32_t word[16];  ///< [11] byte count, [13] syndromes, [14] opcode and QPN of the WQE, [15] counter and owner
};

/// The last word of a CQE as one load gives it: bytes 60-61 counter, 62 signature, 63 opcode << 4 | owner.
GICSIM_HD constexpr std::uint32_t cqe_tail(CqeOpcode opcode, unsigned owner, std::uint16_t counter) {
  return be32(static_cast<std::uint32_t>(counter) << 16U | static_cast<std::uint32_t>(opcode) << 4U | (owner & 1U));
}
struct CqeTail {
  CqeOpcode opcode;
  unsigned owner;
  std::uint16_t counter;  ///< index of the WQE
};
GICSIM_HD constexpr CqeTail decode_tail(std::uint32_t word) {
  const std::uint32_t v = be32(word);
  return {static_cast<CqeOpcode>(v >> 4U & 15U), v & 1U, static_cast<std::uint16_t>(v >> 16U)};
}
/// Byte 55 says what went wrong, byte 54 is the vendor's.
GICSIM_HD constexpr unsigned cqe_syndrome(std::uint32_t word13) { return be32(word13) & 0xffU; }
GICSIM_HD constexpr unsigned cqe_vendor(std::uint32_t word13) { return be32(word13) >> 8U & 0xffU; }

constexpr Cqe cqe_of(const Control& wqe, std::uint32_t bytes, unsigned owner) {
  Cqe c{};
  c.word[11] = be32(bytes);
  c.word[14] = be32(static_cast<std::uint32_t>(wqe.opcode) << 24U | wqe.qpn);
  c.word[15] = cqe_tail(CqeOpcode::request, owner, wqe.index);
  return c;
}
constexpr Cqe error_cqe_of(const Control& wqe, std::uint8_t syndrome, std::uint8_t vendor, unsigned owner) {
  Cqe c = cqe_of(wqe, 0, owner);
  c.word[13] = be32(static_cast<std::uint32_t>(vendor) << 8U | syndrome);
  c.word[15] = cqe_tail(CqeOpcode::request_error, owner, wqe.index);
  return c;
}

/// The owner bit of CQE `n`, counted from the queue's start: it flips each time round.
GICSIM_HD constexpr unsigned cqe_owner(std::uint32_t n, std::uint32_t depth) { return n / depth & 1U; }
/// Whether `counter` is `index` or after it, modulo 65536. @pre less than 32768 apart
GICSIM_HD constexpr bool reached(std::uint16_t counter, std::uint32_t index) {
  return static_cast<std::uint16_t>(counter - static_cast<std::uint16_t>(index)) < 0x8000U;
}

}  // namespace gicsim::hw::posting
