// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/pcie/slot.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

/// Where a TLP from a device is bound, as the downstream port sees it that it came by: through the
/// port towards the root, back down the way it came, or down another port.
enum class Bound : std::uint8_t { upstream, back, peer };

/// What the port makes of it.
enum class Way : std::uint8_t { ahead, upstream, blocked };

/// Access Control Services of one downstream port, for one TLP that came up through it. In a root
/// complex "upstream" means through its own validation, and from there to where the TLP is bound.
/// Egress control and source validation aren't modelled: nobody forges a requester ID here.
/// Source: PCIe Base 5.0, 6.12.1 and 6.12.3
Way acs_way(const SlotParams& port, Flow flow, bool relaxed, AddressType address, Bound bound);

}  // namespace gicsim::pcie
