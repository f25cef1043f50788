// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/pcie/params.h"

/// Closed forms of PCIe's data link layer, from the models' own parameters.
namespace gicsim::formulas {

/// That a bit error hits something of this length: 1 - (1 - p)^(8 L).
double packet_error(double ber, Bytes length);

/// A stream of TLPs of one length, back to back, with idle lanes the other way: what sending again costs. Each time is
/// from the start of a TLP that fails to the start of its repetition, in whole TLPs, as the one under way is finished.
struct Retry {
  Picoseconds tlp{};       ///< on the lanes
  Picoseconds nak{};       ///< wrong LCRC: there, Nak, back
  Picoseconds gap{};       ///< framing hit: found by the TLP behind, from Gen 3 on after Recovery
  Picoseconds time_out{};  ///< bad once more: no second Nak, the replay timer
  Picoseconds recovery{};  ///< an Ack's framing hit, from Gen 3 on
  double content = 0, framing = 0, ack_framing = 0;  ///< how often, a TLP

  /// One Nak for each TLP whose first examination fails.
  double naks_per_tlp() const { return content + framing; }
  double tlps_per_nak() const { return static_cast<double>(nak.count()) / static_cast<double>(tlp.count()); }
  double picoseconds_per_tlp() const;
  /// Payload delivered, in B/s.
  double goodput(Bytes payload) const { return static_cast<double>(payload.count()) * 1e12 / picoseconds_per_tlp(); }
};

/// @param payload  of each write
Retry retry(const pcie::LinkParams& link, Bytes payload);

}  // namespace gicsim::formulas
