// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <variant>

#include "models/protocol/message.h"
#include "models/units/bytes.h"

namespace gicsim {

/// A physical address of one node.
using Address = std::uint64_t;

enum class Opcode : std::uint8_t { rdma_write = 0x08 };  ///< as on the wire of mlx5

/// A work queue entry: 64 B units in the send queue's ring.
struct Wqe {
  Opcode opcode = Opcode::rdma_write;
  bool inlined = false;
  bool signaled = true;    ///< a CQE is wanted
  std::uint32_t qpn = 0;
  std::uint32_t index = 0; ///< producer index; the hardware field has its low 16 bits
  Address local = 0;
  Address remote = 0;
  Bytes length{};
  std::uint64_t value = 0; ///< what a flag write leaves at `remote`
  Message* message = nullptr;
};

/// A completion queue entry, 64 B.
struct Cqe {
  std::uint32_t qpn = 0;
  std::uint32_t index = 0;  ///< of the WQE that it completes
  std::uint8_t opcode = 0;  ///< 0: requester
  Message* message = nullptr;
};

/// What a GPU thread hands to a proxy: a 16 B descriptor in host memory.
struct ProxyRequest {
  std::uint32_t index = 0;
  bool inlined = false;
  Address local = 0;
  Address remote = 0;
  Bytes length{};
  std::uint64_t value = 0;
  Message* message = nullptr;
};

/// What a watched line of memory holds.
using Content = std::variant<std::monostate, std::uint64_t, Wqe, Cqe, ProxyRequest>;

inline constexpr Bytes wqe_unit = Bytes(64);
inline constexpr Bytes cqe_size = Bytes(64);

}  // namespace gicsim
