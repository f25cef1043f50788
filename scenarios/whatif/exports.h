// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/protocol/message_ended.h"
#include "scenarios/report/finished.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"
#include "traces/export/exporter.h"

namespace gicsim::whatif {

using Exporters = std::vector<exports::Exporter*>;

/// Lets exporters hear one run. It lives as long as the run.
class Heard {
 public:
  Heard(const Exporters& exporters, const schema::Scenario& scenario, system::System& system,
        Probe<MessageEnded>& messages, Probe<StepPlayed>* steps = nullptr, std::vector<std::string> ranks = {});
  /// The run has ended, however.
  void finish(Status status, Picoseconds elapsed, const std::vector<report::Counter>& ports);

 private:
  Exporters exporters_;
  exports::Machine machine_;
};

/// A run broke off: what was heard until then is all.
void broke_off(const Exporters& exporters);

}  // namespace gicsim::whatif
