// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/describe.h"

namespace gicsim::pcie {

/// What a sender waits for an Ack before it sends everything unacknowledged again: from 16 GT/s on the least of the
/// simplified limits, below three times the receiver's limit for Acks, which goes by payload and width.
/// @param max_payload  largest payload of a TLP
/// Source: PCIe Base 5.0, 3.6.2.1 and 3.6.3.1
Picoseconds replay_timer_limit(Count generation, Count lanes, Bytes max_payload);

}  // namespace gicsim::pcie
