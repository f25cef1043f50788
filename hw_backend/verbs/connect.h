// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_backend/verbs/device.h"

namespace gicsim::hw::verbs {

/// The packet sequence number that a queue pair starts with; 24 bits, another one each time.
std::uint32_t first_psn();

/// An RC queue pair from RESET to RTS, its far end known.
void connect(ibv_qp* qp, const Device& device, std::uint32_t psn, const Endpoint& far);
/// The smaller of both ends' MTUs.
ibv_mtu path_mtu(const Device& device, const Endpoint& far);

}  // namespace gicsim::hw::verbs
