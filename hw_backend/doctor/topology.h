// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hw_backend/doctor/evidence.h"

namespace gicsim::hw::checkup {

/// Bridges above a function, nearest first; the last one is the root port.
std::vector<const PciFunction*> bridges_above(const Evidence& e, const PciFunction& f);

/// How far two functions are apart, in nvidia-smi's words.
struct Distance {
  std::string kind;                         ///< PIX, PXB, PHB, NODE, SYS; empty: not known
  std::vector<const PciFunction*> between;  ///< the ports that traffic between them may be turned at
  bool shares_switch() const { return kind == "PIX" || kind == "PXB"; }
};
Distance distance(const Evidence& e, const PciFunction& a, const PciFunction& b);

/// 0 for PIX … 4 for SYS, 5 for what isn't known.
int rank_of(const std::string& kind);

/// The NIC nearest to a GPU; null without a NIC.
const PciFunction* nearest_nic(const Evidence& e, const PciFunction& gpu);

/// A link: its lower end (device or switch), and the port that it hangs on.
struct Hop {
  const PciFunction* lower;
  const PciFunction* upper;  ///< null where the root complex shows none
};
/// Links from a device to its root port.
std::vector<Hop> hops_above(const Evidence& e, const PciFunction& f);

}  // namespace gicsim::hw::checkup
