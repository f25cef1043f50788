// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "models/protocol/content.h"

namespace gicsim {

enum class PacketKind : std::uint8_t { write, ack };
constexpr std::string_view name_of(PacketKind k) { return k == PacketKind::write ? "RDMA WRITE" : "ACK"; }

using PortNumber = std::uint16_t;  ///< a NIC's port in the fabric: its LID

/// A packet of the RC transport.
struct Packet {
  PacketKind kind = PacketKind::write;
  bool first = false, last = false;  ///< of its message
  bool ack_request = false;
  PortNumber from = 0, to = 0;
  std::uint32_t qpn = 0;   ///< destination queue pair
  std::uint32_t psn = 0;   ///< 24 bits on the wire
  Bytes payload{};
  Bytes wire{};            ///< with all headers and trailers
  Address address = 0;     ///< where this packet's payload goes
  const Wqe* wqe = nullptr;///< of the message, alive until acknowledged
  Ledger* ledger = nullptr;///< set on the packet whose arrival ends the message's way
};

/// Header and trailer bytes of RC packets.
/// InfiniBand: LRH 8, BTH 12, RETH 16 or AETH 4, ICRC 4, VCRC 2.
/// RoCEv2 over IPv4: preamble 8, Ethernet 14, IP 20, UDP 8, BTH 12, RETH 16 or AETH 4, ICRC 4, FCS 4, gap 12.
/// Source: InfiniBand 1.5, 5.2 and 9.2; Annex A17; IEEE 802.3, 3.1.1.
struct PacketOverhead {
  Bytes base;
  Bytes reth = Bytes(16);
  Bytes aeth = Bytes(4);
};
inline constexpr PacketOverhead infiniband_overhead{Bytes(8 + 12 + 4 + 2)};
inline constexpr PacketOverhead rocev2_overhead{Bytes(8 + 14 + 20 + 8 + 12 + 4 + 4 + 12)};

class PacketSink : virtual public sc_core::sc_interface {
 public:
  virtual void arrive(const Packet& packet) = 0;
};

class PacketPort : virtual public sc_core::sc_interface {
 public:
  /// `ready`: when the packet has come through the sender; never earlier than the one before.
  /// @return when its last bit leaves
  virtual Picoseconds send(const Packet& packet, Picoseconds ready) = 0;
};

/// A fact: a packet has left a wire's sender.
struct PacketSent {
  const Packet& packet;
  std::string_view wire;
  Picoseconds begin, end;
};

}  // namespace gicsim
