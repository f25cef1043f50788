// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/frame.h"

#include <algorithm>

#include "traces/export/octets.h"

namespace gicsim::exports {
namespace {

/// Opcodes of RC; a message's packets are first, middle, last, last with immediate, only, only with immediate.
enum Operation : std::uint8_t {
  send_first = 0x00, write_first = 0x06, read_request = 0x0c, response_first = 0x0d, response_middle = 0x0e,
  response_last = 0x0f, response_only = 0x10, acknowledge = 0x11, atomic_acknowledge = 0x12, compare_swap = 0x13,
  fetch_add = 0x14
};
/// Their services. A manufacturer's own opcodes begin with 11. Source: InfiniBand 1.5, 9.2.1
enum Space : std::uint8_t { rc = 0x00, ud = 0x60, dc = 0xc0, barrier_arrives = 0xe0, barrier_ends = 0xe1 };
constexpr std::uint8_t dc_connect = dc | 0x1f;
constexpr std::uint8_t cnp_rocev2 = 0x81, cnp_infiniband = 0x80;

std::uint8_t piece(const Packet& packet, std::uint8_t first) {
  if (packet.first) return static_cast<std::uint8_t>(packet.last ? first + 4 + packet.immediate : first);
  return static_cast<std::uint8_t>(packet.last ? first + 2 + packet.immediate : first + 1);
}

std::uint8_t operation(const Packet& packet, const Asked* asked) {
  switch (packet.kind) {
    case PacketKind::write: return piece(packet, write_first);
    case PacketKind::send: return piece(packet, send_first);
    case PacketKind::read_request: return read_request;
    case PacketKind::atomic_request: return asked && asked->opcode == Opcode::compare_swap ? compare_swap : fetch_add;
    case PacketKind::read_response:
      if (packet.first) return packet.last ? response_only : response_first;
      return packet.last ? response_last : response_middle;
    case PacketKind::atomic_response: return atomic_acknowledge;
    default: return acknowledge;
  }
}

std::uint8_t opcode(const Packet& packet, const Asked* asked, bool infiniband) {
  switch (packet.kind) {
    case PacketKind::cnp: return infiniband ? cnp_infiniband : cnp_rocev2;
    case PacketKind::connect: return dc_connect;
    case PacketKind::barrier: return packet.first ? barrier_arrives : barrier_ends;
    default: break;
  }
  const std::uint8_t space = packet.service == Service::ud ? ud : packet.service == Service::dc ? dc : rc;
  return space | operation(packet, asked);
}

void add_bth(Octets& out, const Packet& packet, std::uint8_t opcode, bool infiniband) {
  constexpr std::uint8_t migrated = 0x40, fecn = 0x80, becn = 0x40;
  const auto pad = static_cast<std::uint8_t>(-packet.payload.count() & 3);
  const bool notifies = packet.kind == PacketKind::cnp;
  const std::uint64_t psn = packet.kind == PacketKind::barrier ? packet.value : packet.psn;
  out.big(opcode, 1).big(migrated | pad << 4, 1).big(0xffff, 2);
  out.big((infiniband && packet.ecn == Ecn::congested ? fecn : 0) | (notifies ? becn : 0), 1);
  out.big(queue_pair(packet.qpn), 3);
  out.big(packet.ack_request ? 0x80 : 0, 1).big(psn, 3);
}

void add_extensions(Octets& out, const Packet& packet, const Asked* asked) {
  const auto aeth = [&] { out.big(aeth_syndrome(packet), 1).big(packet.msn, 3); };
  const std::uint32_t rkey = asked ? asked->rkey : 0;
  if (packet.service != Service::rc && is_request(packet.kind))
    out.big(packet.key, 4).big(queue_pair(packet.source_qpn), 4);
  switch (packet.kind) {
    case PacketKind::write:
      if (packet.first)
        out.big(packet.address, 8).big(rkey, 4).big(asked ? static_cast<std::uint64_t>(asked->length.count()) : 0, 4);
      [[fallthrough]];
    case PacketKind::send:
      if (packet.immediate) out.big(asked ? asked->immediate : 0, 4);
      return;
    case PacketKind::read_request:
      out.big(packet.address, 8).big(rkey, 4).big(static_cast<std::uint64_t>(packet.length.count()), 4);
      return;
    case PacketKind::atomic_request:
      out.big(packet.address, 8).big(rkey, 4).big(asked ? asked->value : 0, 8);
      out.big(asked && asked->opcode == Opcode::compare_swap ? asked->compare : 0, 8);
      return;
    case PacketKind::read_response:
      if (packet.first || packet.last) aeth();
      return;
    case PacketKind::atomic_response:
      aeth();
      out.big(packet.value, 8);
      return;
    case PacketKind::ack:
    case PacketKind::nak:
      aeth();
      if (packet.missing > 0) out.big(std::min(packet.missing, 255u), 1).big(packet.gap, 3);
      return;
    case PacketKind::cnp: out.zeros(16); return;
    case PacketKind::connect:
    case PacketKind::barrier:
    case PacketKind::pause:
    case PacketKind::credit: return;
  }
}

}  // namespace

Asked asked_by(const Wqe& wqe) {
  return {wqe.opcode, wqe.qpn, wqe.index, wqe.rkey, wqe.immediate, wqe.remote, wqe.length, wqe.value, wqe.compare};
}

std::string octets_of(const Payload& payload, Bytes length) {
  std::string octets(static_cast<std::size_t>(length.count()), '\0');
  const std::int64_t of = payload.of.count(), word = payload.value != 0 ? std::max<std::int64_t>(0, of - 8) : of;
  for (std::size_t i = 0; i < octets.size(); ++i) {
    const Address at = payload.address + i;
    const std::int64_t in_message = payload.offset.count() + static_cast<std::int64_t>(i);
    octets[i] = static_cast<char>(in_message >= word && in_message < of ? payload.value >> 8 * (of - 1 - in_message)
                                                                        : (at & ~Address{7}) >> 8 * (7 - (at & 7)));
  }
  return octets;
}

std::string transport_octets(const Packet& packet, const Asked* asked, const Payload& payload, bool infiniband) {
  Octets out;
  add_bth(out, packet, opcode(packet, asked, infiniband), infiniband);
  add_extensions(out, packet, asked);
  out.add(octets_of(payload, packet.payload)).zeros(static_cast<std::size_t>(-packet.payload.count() & 3));
  return out.take();
}

}  // namespace gicsim::exports
