// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "traces/roce/datagram.h"

namespace gicsim::roce {

/// The invariant CRC that a datagram should end with: of eight octets of ones and the packet from its IP header on, in
/// which whatever routers change is ones, too. `network` ends before the ICRC.
/// Source: InfiniBand 1.5, Annex A17.3.3
std::uint32_t icrc(Octets network, std::uint32_t udp);
/// Likewise of an InfiniBand packet from its LRH on. Source: InfiniBand 1.5, 7.8.1
std::uint32_t icrc_infiniband(Octets packet);

/// Whether the ICRC is right; nothing for a frame that was cut off.
std::optional<bool> icrc_right(const Datagram& datagram);

}  // namespace gicsim::roce
