// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "traces/roce/datagram.h"

namespace gicsim::roce {

/// A packet from its LRH on. Source: InfiniBand 1.5, 7.7 (LRH), 8.3 (GRH)
std::variant<Datagram, Unused> dissect_infiniband(Octets packet);

/// One in a record of type 21, as ibdump and Endace's cards write them. Source: Endace, Extensible Record Format
std::variant<Datagram, Unused> dissect_erf(Octets record);

}  // namespace gicsim::roce
