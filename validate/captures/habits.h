// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/nic/transport_params.h"

namespace gicsim::captures {

/// "ack=coalesced": one parameter of nic.transport. Times have no place here: replays are ordered by events.
/// @throws ConfigError for what there isn't
void set(nic::TransportParams& transport, const std::string& habit);

}  // namespace gicsim::captures
