// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/exports.h"

namespace gicsim::whatif {
namespace {

exports::Machine machine_of(const schema::Scenario& scenario, const system::System& system) {
  exports::Machine machine{.scenario = scenario.name, .system = scenario.system.name, .ports = {}};
  for (const system::System::Port& port : system.ports()) {
    machine.infiniband = port.out->params().protocol == link::Protocol::infiniband;
    machine.ports.push_back(
        {port.nic->name(), port.nic->number(), port.out->name(), port.in->name(), port.out->params().rate});
  }
  return machine;
}

}  // namespace

Heard::Heard(const Exporters& exporters, const schema::Scenario& scenario, system::System& system,
             workloads::Workload& workload)
    : exporters_(exporters), machine_(machine_of(scenario, system)) {
  for (exports::Exporter* exporter : exporters_)
    exporter->listen({system.kernel(), machine_, system.tlps(), system.packets(), system.port_events(), workload.messages()});
}

void Heard::finish(const report::Finished& finished) {
  if (exporters_.empty()) return;
  exports::Outcome outcome{.status = std::string(to_name(finished.status)), .elapsed = finished.elapsed, .ports = {}};
  for (const report::Counter& counter : finished.ports)
    outcome.ports.push_back({counter.module, counter.name, counter.sentence, counter.unit, counter.value});
  for (exports::Exporter* exporter : exporters_) exporter->finish(outcome);
}

void broke_off(const Exporters& exporters) {
  for (exports::Exporter* exporter : exporters) exporter->finish({.status = "broke off", .elapsed = {}, .ports = {}});
}

}  // namespace gicsim::whatif
