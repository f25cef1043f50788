// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenarios/report/finished.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"
#include "scenarios/workloads/workload.h"
#include "traces/export/exporter.h"

namespace gicsim::whatif {

using Exporters = std::vector<exports::Exporter*>;

/// Lets exporters hear one run. It lives as long as the run.
class Heard {
 public:
  Heard(const Exporters& exporters, const schema::Scenario& scenario, system::System& system,
        workloads::Workload& workload);
  /// The run has ended, however.
  void finish(const report::Finished& finished);

 private:
  Exporters exporters_;
  exports::Machine machine_;
};

/// A run broke off: what was heard until then is all.
void broke_off(const Exporters& exporters);

}  // namespace gicsim::whatif
