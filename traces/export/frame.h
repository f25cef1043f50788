// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/protocol/packet.h"

namespace gicsim::exports {

/// What the WQE of a request says. Kept by itself, as the WQE may be gone when its packet is sent again or answered.
struct Asked {
  Opcode opcode = Opcode::rdma_write;
  std::uint32_t qpn = 0, index = 0;  ///< the requester's queue pair, and which of its WQEs
  std::uint32_t rkey = 0, immediate = 0;
  Address remote = 0;
  Bytes length{};
  std::uint64_t value = 0, compare = 0;
};
Asked asked_by(const Wqe& wqe);

/// Where a packet's payload lies: memory as captures show it.
struct Payload {
  Address address = 0;   ///< of its first octet
  Bytes offset{}, of{};  ///< in its message, and how long that is
  std::uint64_t value = 0;  ///< the message's last word, if it is known; 0: it isn't
};
/// Each aligned word of 8 B holds its own address, the last 8 B of a message the value that it leaves there; both most
/// significant octet first, as hex dumps are read. The other way round, analysers take small values for EtherTypes.
std::string octets_of(const Payload& payload, Bytes length);

/// On the wire: what the model calls queue pair 1 would be the one for management, and analysers take its packets for that.
constexpr std::uint32_t queue_pair(std::uint32_t number) { return (0x100 + number) & 0xff'ffff; }

/// From the BTH up to the padding. Of what nobody has published (DC, the gap of a NAK under selective repeat, barrier
/// packets) docs/export.md says what is written.
/// @param asked  of the request, or of the one that is answered; null: not known
/// Source: InfiniBand 1.5, 9.2 to 9.4; Annex A17
std::string transport_octets(const Packet& packet, const Asked* asked, const Payload& payload, bool infiniband);

/// RoCEv2 over IPv4, from the Ethernet header up to the ICRC; the FCS isn't captured.
std::string rocev2_frame(const Packet& packet, const std::string& transport);
/// A pause frame. @param to_nic  the far end of that port's cable sends it, else the NIC. Source: IEEE 802.1Q, 36.1.3
std::string pfc_frame(const Packet& packet, PortNumber port, bool to_nic);

/// From the LRH up to the VCRC.
std::string infiniband_frame(const Packet& packet, const std::string& transport);
/// The same in a record of type 21, stamped in 2^-32 s. Source: Endace, Extensible Record Format
std::string erf_record(const std::string& frame, Picoseconds at, std::size_t interface);

/// Of a NIC's port: its LID, its addresses in IP (10.0.0.0/16) and on Ethernet.
constexpr std::uint32_t lid_of(PortNumber port) { return port + 1u; }
constexpr std::uint32_t ipv4_of(PortNumber port) { return 0x0a00'0000 + lid_of(port); }
constexpr std::uint64_t mac_of(PortNumber port) { return 0x0200'0000'0000 + lid_of(port); }

}  // namespace gicsim::exports
