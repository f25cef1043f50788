// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/nic/nic.h"
#include "scenarios/report/finished.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"
#include "scenarios/workloads/workload.h"

namespace gicsim::whatif {

/// What is known before the run: names, keys, provenance, the headline quantity.
report::Finished describe_run(const schema::Scenario& scenario);

/// The headline latency that the ledger explains: the median.
Picoseconds explained(const schema::Scenario& scenario, const workloads::Measured& measured);

/// Records, ledger and both branches of the representative message.
/// @return false: that message's ledger was not kept
bool fill_results(report::Finished& finished, const schema::Scenario& scenario,
                  const workloads::Measured& measured);

/// Every statistic of every module, in order of the modules.
std::vector<report::Counter> counters(const system::System& system);

/// What each NIC's port and each of its queue pairs counted, under mlx5's names.
std::vector<report::Counter> port_counters(const system::System& system);

report::Diagnosis diagnose(const nic::StaleFetch& stale);
report::Diagnosis diagnose(const workloads::EarlySignal& early);
/// @param times  how many such there were
report::Diagnosis diagnose(const system::LostAtomic& lost, Count times);
report::Diagnosis diagnose(std::vector<nic::Failure> failures);

/// To three decimals of the unit that it is told in.
constexpr Picoseconds rounded(Picoseconds t) {
  const Picoseconds grain = t >= 1s ? 1ms : t >= 1ms ? 1us : 1ns;
  return (t + grain / 2) / grain * grain;
}
report::Diagnosis diagnose(const std::vector<dma::Engine::Failure>& failures, const std::vector<host::Iommu::Fault>& faults);

report::Rows rows(const Ledger& ledger);

/// The headline's value, in its unit.
double headline(const report::Finished& finished);

}  // namespace gicsim::whatif
