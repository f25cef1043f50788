// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/link/params.h"
#include "models/nic/params.h"
#include "models/protocol/packet.h"

/// Closed forms of the RC transport, from the models' own parameters.
namespace gicsim::formulas {

/// Payload rate of a long write, in B/s: what headers leave of the wire.
double payload_rate(const link::WireParams& wire, PacketOverhead overhead, Bytes mtu);

/// A stream of writes of one packet each, back to back on one cable that loses packets with
/// probability p in their direction. Times from the start of a packet to where it starts again.
struct GoBackN {
  Picoseconds packet{};    ///< on the wire
  Picoseconds nak{};       ///< lost, and NAKed by the packet behind it
  Picoseconds time_out{};  ///< lost again: no second NAK for a gap

  /// packet + p nak + p^2 time_out, with their tails: the packet behind may be lost as well, and
  /// a packet may be lost more than twice.
  double picoseconds_per_packet(double p) const;
};

/// @param payload  of a packet
/// @param read     round trip of the NIC's read of a payload
GoBackN go_back_n(const nic::NicParams& nic, const link::WireParams& wire, PacketOverhead overhead, Bytes payload,
                  Picoseconds read);

}  // namespace gicsim::formulas
