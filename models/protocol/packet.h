// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "models/protocol/content.h"

namespace gicsim {

enum class PacketKind : std::uint8_t {
  write, read_request, atomic_request, read_response, atomic_response, ack, nak, send, connect, cnp, pause, credit, barrier
};
constexpr std::string_view name_of(PacketKind k) {
  constexpr std::string_view names[] = {"RDMA WRITE", "RDMA READ REQUEST", "ATOMIC REQUEST", "RDMA READ RESPONSE",
                                        "ATOMIC ACKNOWLEDGE", "ACK", "NAK", "SEND", "DC CONNECT", "CNP", "PFC PAUSE",
                                        "CREDITS", "BARRIER"};
  return names[static_cast<int>(k)];
}
/// Goes from the responder to the requester and carries data.
constexpr bool is_response(PacketKind k) {
  return k == PacketKind::read_response || k == PacketKind::atomic_response;
}

constexpr bool is_request(PacketKind k) {
  return k <= PacketKind::atomic_request || k == PacketKind::send || k == PacketKind::connect;
}

constexpr bool is_atomic(PacketKind k) {
  return k == PacketKind::atomic_request || k == PacketKind::atomic_response;
}

/// Between two ports of one cable, and no further: a pause frame (PFC), a flow-control packet (InfiniBand).
constexpr bool is_link_control(PacketKind k) { return k == PacketKind::pause || k == PacketKind::credit; }

/// ECN field of the IP header, FECN of InfiniBand. Source: RFC 3168, 5; InfiniBand 1.5, Annex A10
enum class Ecn : std::uint8_t { not_capable, capable, congested };

/// What an AETH says; of a RNR NAK without its timer code. Source: InfiniBand 1.5, 9.7.5.2.1
enum class Syndrome : std::uint8_t {
  ack = 0x1f, rnr_nak = 0x20, sequence_nak = 0x60, invalid_request_nak = 0x61, access_nak = 0x62, operation_nak = 0x63
};

using PortNumber = std::uint16_t;  ///< a NIC's port in the fabric: its LID

/// A packet of the transport.
struct Packet {
  PacketKind kind = PacketKind::write;
  bool first = false, last = false;  ///< of its message
  bool ack_request = false;
  bool immediate = false;            ///< an ImmDt follows
  Syndrome syndrome = Syndrome::ack; ///< of an ACK or NAK
  PortNumber from = 0, to = 0;
  std::uint32_t qpn = 0;   ///< destination queue pair
  std::uint32_t psn = 0;   ///< 24 bits on the wire
  Bytes payload{};
  Bytes wire{};            ///< with all headers and trailers
  Address address = 0;     ///< where this packet's payload goes; what a request is about
  Bytes length{};          ///< of a READ request: what it asks for
  std::uint64_t value = 0; ///< of a response: the old value; the content of the last line read
  const Wqe* wqe = nullptr;///< of a request's message; alive until the responder has accepted it
  LedgerRef ledger{};      ///< set on the packet whose arrival ends the message's way
  Service service = Service::rc;
  std::uint8_t rnr_timer = 0;    ///< of a RNR NAK: the code, 5 bits
  std::uint32_t gap = 0;         ///< of a sequence NAK under selective repeat: first PSN of what is missing,
  std::uint32_t missing = 0;     ///< and how many; 0: go-back-N's
  std::uint32_t source_qpn = 0;  ///< of the DETH; no other header says whose it is
  std::uint32_t key = 0;         ///< of the DETH: the Q_Key, or the access key of DC
  std::uint32_t msn = 0;         ///< of an AETH: requests completed so far, 24 bits
  std::uint8_t priority = 0;          ///< of a pause or credit: whom it is about. PCP; service level, virtual lane
  Ecn ecn = Ecn::not_capable;
  std::uint16_t flow = 0;             ///< UDP source port: what ECMP tells connections apart by
  std::uint16_t ingress = 0, egress = 0;  ///< inside a switch: its ports
  bool buffered = false;              ///< until it has left: its payload has room in its sender's transmit buffer
};

/// The syndrome byte of its AETH.
constexpr std::uint8_t aeth_syndrome(const Packet& packet) {
  const auto kind = static_cast<std::uint8_t>(packet.syndrome);
  return static_cast<std::uint8_t>(packet.syndrome == Syndrome::rnr_nak ? kind | packet.rnr_timer : kind);
}

/// A MAC control frame of the least length with preamble and gap. Source: IEEE 802.3, 31.3; 802.1Q, 36
inline constexpr Bytes pause_frame{64 + 8 + 12};
/// A link packet. Source: InfiniBand 1.5, 7.9.4
inline constexpr Bytes credit_packet{8};

/// Bytes that stand before a datagram's payload in its receive: a GRH's. Source: InfiniBand 1.5, 11.4.1.2
inline constexpr Bytes datagram_header{40};

/// Header and trailer bytes of RC packets, by opcode.
/// InfiniBand: LRH 8, BTH 12, ICRC 4, VCRC 2.
/// RoCEv2 over IPv4: preamble 8, Ethernet 14, IP 20, UDP 8, BTH 12, ICRC 4, FCS 4, gap 12.
/// Source: InfiniBand 1.5, 5.2 and 9.2; Annex A17; IEEE 802.3, 3.1.1.
struct PacketOverhead {
  Bytes base;
  Bytes reth = Bytes(16);        ///< first packet of a write; a READ request
  Bytes aeth = Bytes(4);         ///< ACK, NAK; first and last packet of a READ response; an atomic's response
  Bytes atomic = Bytes(28);      ///< AtomicETH
  Bytes atomic_ack = Bytes(8);   ///< AtomicAckETH
  Bytes immediate = Bytes(4);    ///< ImmDt
  Bytes deth = Bytes(8);         ///< every packet of UD; a request of DC, whose header isn't published, is given one, too
  Bytes gap = Bytes(4);          ///< behind the AETH of a NAK under selective repeat: how much is missing; likewise
  Bytes cnp = Bytes(16);         ///< what a CNP has behind its BTH, reserved

  /// Bytes on the wire: base, extended headers, payload padded to 4 B.
  constexpr Bytes on_wire(const Packet& packet) const {
    const Bytes padded = pieces(packet.payload, Bytes(4)) * Bytes(4);
    const Bytes none{}, base = this->base + (packet.service == Service::rc || !is_request(packet.kind) ? none : deth);
    switch (packet.kind) {
      case PacketKind::write:
        return base + padded + (packet.first ? reth : none) + (packet.immediate ? immediate : none);
      case PacketKind::send: return base + padded + (packet.immediate ? immediate : none);
      case PacketKind::connect: return base;
      case PacketKind::read_request: return base + reth;
      case PacketKind::atomic_request: return base + atomic;
      case PacketKind::read_response: return base + padded + (packet.first || packet.last ? aeth : none);
      case PacketKind::atomic_response: return base + aeth + atomic_ack;
      case PacketKind::cnp: return base + cnp;
      case PacketKind::pause: return pause_frame;
      case PacketKind::credit: return credit_packet;
      case PacketKind::ack:
      case PacketKind::nak: break;
      case PacketKind::barrier: return base;
    }
    return base + aeth + (packet.missing > 0 ? gap : none);
  }
};
inline constexpr PacketOverhead infiniband_overhead{Bytes(8 + 12 + 4 + 2)};
inline constexpr PacketOverhead rocev2_overhead{Bytes(8 + 14 + 20 + 8 + 12 + 4 + 4 + 12)};

class PacketSink : virtual public sc_core::sc_interface {
 public:
  virtual void arrive(const Packet& packet) = 0;
};

/// Whoever sends into a wire, and learns late when a packet left it.
class PacketSource {
 public:
  virtual void on_sent(const Packet& packet, Picoseconds left) = 0;

 protected:
  ~PacketSource() = default;
};

class PacketPort : virtual public sc_core::sc_interface {
 public:
  /// The receiver at the far end is full (its upstream port stops sending), or has room again.
  virtual void pause(bool on) { (void)on; }
  /// Who hears of packets for which send() had no answer.
  virtual void sent_by(PacketSource& source) { (void)source; }
  /// `ready`: when the packet has come through the sender; never earlier than the one before.
  /// @return when its last bit leaves; `max`: the far end has paused this, and on_sent() will tell
  virtual Picoseconds send(const Packet& packet, Picoseconds ready) = 0;
};

/// A fact: a packet has left a wire's sender.
struct PacketSent {
  const Packet& packet;
  std::string_view wire;
  Picoseconds begin, end;
  bool lost = false;  ///< it won't arrive
  bool again = false; ///< but the cable itself sends it again: who uses it doesn't notice
};

}  // namespace gicsim
