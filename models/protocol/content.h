// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "models/protocol/message.h"
#include "models/units/bytes.h"

namespace gicsim {

/// A physical address of one node.
using Address = std::uint64_t;

/// As a mlx5 send queue has them. Source: rdma-core, providers/mlx5/mlx5dv.h
enum class Opcode : std::uint8_t {
  nop = 0x00,
  rdma_write = 0x08,
  rdma_write_imm = 0x09,
  send = 0x0a,
  send_imm = 0x0b,
  rdma_read = 0x10,
  compare_swap = 0x11,
  fetch_add = 0x12
};
constexpr bool is_send(Opcode o) { return o == Opcode::send || o == Opcode::send_imm; }
/// Consumes a receive at the far side.
constexpr bool takes_receive(Opcode o) { return is_send(o) || o == Opcode::rdma_write_imm; }
constexpr bool is_atomic(Opcode o) { return o == Opcode::compare_swap || o == Opcode::fetch_add; }
/// Answered by data, not by an acknowledgement.
constexpr bool is_fetch(Opcode o) { return o == Opcode::rdma_read || is_atomic(o); }

/// What a queue pair speaks: reliable connection, unreliable datagram, dynamically connected.
enum class Service : std::uint8_t { rc, ud, dc };

/// Whom a WQE of an unconnected queue pair is for.
struct AddressVector {
  std::uint16_t port = 0;
  std::uint32_t qpn = 0;
  std::uint32_t key = 0;   ///< UD: Q_Key; DC: the target's access key
};

/// A work queue entry: 64 B units in the send queue's ring.
struct Wqe {
  Opcode opcode = Opcode::rdma_write;
  bool inlined = false;
  bool signaled = true;    ///< a CQE is wanted
  std::uint32_t qpn = 0;
  std::uint32_t index = 0; ///< producer index; the hardware field has its low 16 bits
  std::uint32_t immediate = 0;  ///< of a write or SEND with immediate
  Address local = 0;       ///< a write's source; where a read's data or an atomic's old value go
  Address remote = 0;
  Bytes length{};          ///< 8 B of an atomic
  std::uint64_t value = 0; ///< what a flag write leaves at `remote`; added, or swapped in
  std::uint64_t compare = 0;
  Message* message = nullptr;
  Message* data_of = nullptr;  ///< these are its data: known to the ordering checker alone
  std::uint32_t segments = 1;  ///< of `local`: pieces in a scatter list
  bool flag = false;       ///< `remote` lies in a region for flags, which QPs with relaxed data keep in order
  Service service = Service::rc;
  AddressVector to{};        ///< unless it is connected
  std::uint32_t lkey = 0, rkey = 0;
};

/// A receive: 64 B of a receive queue's ring, of which one scatter entry is used.
struct ReceiveWqe {
  std::uint32_t index = 0;
  Address address = 0;
  Bytes length{};
  std::uint32_t lkey = 0;
};

/// What a CQE is about. Source: rdma-core, providers/mlx5/mlx5dv.h
enum class CqeOpcode : std::uint8_t {
  requester = 0x0, write_imm_received = 0x1, send_received = 0x2, send_imm_received = 0x3, requester_error = 0xd,
  responder_error = 0xe, invalid = 0xf
};

/// A CQE's syndrome. Source: rdma-core, providers/mlx5/mlx5dv.h
enum class CqeStatus : std::uint8_t {
  ok = 0x00,
  local_length = 0x01,
  local_qp_operation = 0x02,
  local_protection = 0x04,
  flushed = 0x05,
  remote_invalid_request = 0x12,
  remote_access = 0x13,
  remote_operation = 0x14,
  retry_exceeded = 0x15,
  receiver_not_ready = 0x16
};
constexpr std::string_view name_of(CqeStatus s) {
  switch (s) {
    case CqeStatus::ok: return "ok";
    case CqeStatus::local_length: return "local length error (0x01)";
    case CqeStatus::local_qp_operation: return "local QP operation error (0x02)";
    case CqeStatus::local_protection: return "local protection error (0x04)";
    case CqeStatus::remote_invalid_request: return "remote invalid request error (0x12)";
    case CqeStatus::remote_access: return "remote access error (0x13)";
    case CqeStatus::remote_operation: return "remote operation error (0x14)";
    case CqeStatus::flushed: return "work request flushed (0x05)";
    case CqeStatus::retry_exceeded: return "transport retry counter exceeded (0x15)";
    case CqeStatus::receiver_not_ready: return "RNR retry counter exceeded (0x16)";
  }
  return {};
}

/// A completion queue entry, 64 B.
struct Cqe {
  std::uint32_t qpn = 0;
  std::uint32_t index = 0;  ///< of the WQE that it completes; of the receive that it consumes
  std::uint32_t immediate = 0;
  CqeOpcode opcode = CqeOpcode::requester;
  CqeStatus status = CqeStatus::ok;
  Message* message = nullptr;
  Bytes length{};           ///< of what a receive took
  std::uint8_t owner = 0;   ///< of a ring: flips each time round
  bool initial = false;     ///< no NIC wrote it: what the memory held before
  /// All of the index that the hardware's field has.
  std::uint16_t counter() const { return static_cast<std::uint16_t>(index); }
};

/// What a GPU thread hands to a proxy: a 16 B descriptor in host memory.
struct ProxyRequest {
  std::uint32_t index = 0;
  Opcode opcode = Opcode::rdma_write;
  bool inlined = false;
  Address local = 0;
  Address remote = 0;
  Bytes length{};
  std::uint64_t value = 0;
  std::uint64_t compare = 0;
  Message* message = nullptr;
};

/// What a watched line of memory holds.
using Content = std::variant<std::monostate, std::uint64_t, Wqe, Cqe, ProxyRequest, ReceiveWqe>;

inline constexpr Bytes wqe_unit = Bytes(64);
inline constexpr Bytes cqe_size = Bytes(64);

}  // namespace gicsim
