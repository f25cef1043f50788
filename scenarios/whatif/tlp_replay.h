// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "scenarios/report/tlp_replay.h"
#include "scenarios/whatif/replay.h"
#include "traces/tlp/record.h"

namespace gicsim::whatif {

/// Plays the requests of a trace of TLPs on the PCIe trees of a machine: `set`, `map`, `files`, `options.start`,
/// `gain`, `exporters` and `progress` of the request count.
/// @param open  the trace from its begin; it is read twice, and a third time for the gain
/// @throws ConfigError with the line or byte for what is wrong with the trace
report::TlpReplay replay_tlps(const std::function<std::unique_ptr<tlp::Source>()>& open, const ReplayRequest& request,
                              const std::string& root);

}  // namespace gicsim::whatif
