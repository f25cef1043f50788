// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/link/params.h"
#include "models/nic/params.h"
#include "models/nic/transport_params.h"
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

/// The same stream under selective repeat, while gaps are filled before `reorder` packets have come behind them: what is
/// lost takes its own time on the wire again, and nothing else.
double selective_repeat(Picoseconds packet, double p);

/// Writes of one packet, each posted when the one before is complete: no packet comes behind a lost one, so only the timer
/// finds out.
struct OneOutstanding {
  Picoseconds undisturbed{};  ///< from one doorbell to the next
  Picoseconds time_out{};     ///< from a packet that is lost to its next copy

  /// undisturbed + p / (1 - p) time_out
  double picoseconds_per_message(double p) const;
};
OneOutstanding one_outstanding(const nic::NicParams& nic, const nic::TransportParams& transport,
                               const link::WireParams& wire, PacketOverhead overhead, Bytes payload, Picoseconds read);

/// @param payload  of a packet
/// @param read     round trip of the NIC's read of a payload
GoBackN go_back_n(const nic::NicParams& nic, const link::WireParams& wire, PacketOverhead overhead, Bytes payload,
                  Picoseconds read);

}  // namespace gicsim::formulas
