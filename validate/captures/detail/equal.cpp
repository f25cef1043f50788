// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/captures/detail/equal.h"

#include <fmt/format.h>

namespace gicsim::captures::detail {
namespace {

using O = roce::Operation;

O piece(const Packet& packet, O first) {
  const int base = static_cast<int>(first);
  if (packet.first) return static_cast<O>(packet.last ? base + 4 + packet.immediate : base);
  return static_cast<O>(packet.last ? base + 2 + packet.immediate : base + 1);
}

/// A SEND with invalidate is sent, acknowledged and sent again as one without; the model's invalidates nothing.
O without_invalidate(O o) {
  return o == O::send_last_inv ? O::send_last : o == O::send_only_inv ? O::send_only : o;
}

}  // namespace

O operation_of(const Sent& sent) {
  const Packet& p = sent.packet;
  switch (p.kind) {
    case PacketKind::send: return piece(p, O::send_first);
    case PacketKind::write: return piece(p, O::write_first);
    case PacketKind::read_request: return O::read_request;
    case PacketKind::atomic_request: return sent.opcode == Opcode::fetch_add ? O::fetch_add : O::compare_swap;
    case PacketKind::atomic_response: return O::atomic_acknowledge;
    case PacketKind::read_response:
      if (p.first) return p.last ? O::response_only : O::response_first;
      return p.last ? O::response_last : O::response_middle;
    case PacketKind::ack:
    case PacketKind::nak:
    case PacketKind::connect:
    case PacketKind::cnp:
    case PacketKind::pause:
    case PacketKind::credit:
    case PacketKind::barrier: break;  // a requester or responder of RC sends none of these
  }
  return O::acknowledge;
}

Opcode opcode_of(O operation) {
  switch (operation) {
    case O::read_request: return Opcode::rdma_read;
    case O::compare_swap: return Opcode::compare_swap;
    case O::fetch_add: return Opcode::fetch_add;
    case O::write_last_imm:
    case O::write_only_imm: return Opcode::rdma_write_imm;
    case O::send_last_imm:
    case O::send_only_imm: return Opcode::send_imm;
    default: return is_send(operation) ? Opcode::send : Opcode::rdma_write;
  }
}

std::string told(const Event& event) {
  const roce::Header& h = event.header;
  std::string text = fmt::format("{}, PSN 0x{:06x}", roce::name_of_opcode(h.opcode), h.psn);
  if (h.aeth) text += fmt::format(", syndrome 0x{:02x}, MSN {}", h.aeth->syndrome, h.aeth->msn);
  return text;
}

std::string told(const Sent& sent) {
  const Packet& p = sent.packet;
  std::string text = fmt::format("{}, PSN 0x{:06x}", roce::name_of_opcode(static_cast<std::uint8_t>(operation_of(sent))), p.psn);
  if (p.kind == PacketKind::ack || p.kind == PacketKind::nak) text += fmt::format(", syndrome 0x{:02x}", aeth_syndrome(p));
  return text;
}

std::string difference(const Sent& sent, const Event& event, std::uint32_t msn_offset) {
  const Packet& p = sent.packet;
  const roce::Header& h = event.header;
  const O o = operation_of(sent);
  if (o != without_invalidate(h.operation) || p.psn != h.psn) return told(sent);
  const auto other = [&](std::string_view name, auto value) { return fmt::format("{}, {} {}", told(sent), name, value); };
  const bool fetch = h.operation == O::read_request || roce::is_atomic(h.operation);
  if (!fetch && static_cast<std::uint64_t>(p.payload.count()) != h.payload) return other("payload", p.payload.count());
  if (!is_answer(h.operation) && p.ack_request != h.ack_request) return other("ACK request", p.ack_request);
  if (h.reth && p.address != h.reth->address) return other("address", p.address);
  if (h.operation == O::read_request && static_cast<std::uint64_t>(p.length.count()) != h.reth->length)
    return other("length", p.length.count());
  if (h.aeth) {
    if (aeth_syndrome(p) != h.aeth->syndrome) return told(sent);
    if (const std::uint32_t msn = (p.msn + msn_offset) & 0xff'ffff; msn != h.aeth->msn) return other("MSN", msn);
  }
  if (h.old_value && p.value != *h.old_value) return other("old value", p.value);
  return {};
}

}  // namespace gicsim::captures::detail
