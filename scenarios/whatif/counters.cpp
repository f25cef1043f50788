// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/counter_visitor.h"
#include "scenarios/whatif/results.h"

namespace gicsim::whatif {

std::vector<report::Counter> counters(const system::System& system) {
  std::vector<report::Counter> all;
  system.visit_stats([&](const char* module, auto stats) {
    CounterVisitor visitor(all, module);
    describe(visitor, stats);
  });
  return all;
}

}  // namespace gicsim::whatif
