// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/exports.h"

#include "scenarios/whatif/results.h"

namespace gicsim::whatif {
namespace {

/// What a replay has to be told to send messages alike.
std::vector<std::pair<std::string, std::string>> keys_of(const schema::Scenario& scenario) {
  std::vector<std::pair<std::string, std::string>> keys;
  const bool signals = scenario.pattern == Pattern::put_signal;
  keys.emplace_back("pattern", to_name(signals ? Pattern::put_signal : Pattern::put));
  if (schema::verb(scenario) == Verb::send) keys.emplace_back("operation", to_name(Verb::send));
  keys.emplace_back("payload", to_name(scenario.payload));  // as asked for: what a report says is of its one length
  for (auto& [key, value] : describe_run(scenario).keys)
    for (const char* wanted : {"path", "ordering", "queues", "signal", "library", "proxy", "verbs", "receiver", "gdr"})
      if (key == wanted && (signals || key != "signal")) keys.emplace_back(key, value);
  return keys;
}

exports::Machine machine_of(const schema::Scenario& scenario, const system::System& system) {
  exports::Machine machine{.scenario = scenario.name, .system = scenario.system.name, .ports = {}, .keys = keys_of(scenario)};
  for (const system::System::Port& port : system.ports()) {
    machine.infiniband = port.out->params().protocol == link::Protocol::infiniband;
    machine.ports.push_back(
        {port.nic->name(), port.nic->number(), port.out->name(), port.in->name(), port.out->params().rate});
  }
  return machine;
}

}  // namespace

Heard::Heard(const Exporters& exporters, const schema::Scenario& scenario, system::System& system,
             Probe<MessageEnded>& messages, Probe<StepPlayed>* steps, std::vector<std::string> ranks)
    : exporters_(exporters), machine_(machine_of(scenario, system)) {
  machine_.ranks = std::move(ranks);
  for (exports::Exporter* exporter : exporters_)
    exporter->listen({system.kernel(), machine_, system.tlps(), system.packets(), system.port_events(), messages, steps});
}

void Heard::finish(Status status, Picoseconds elapsed, const std::vector<report::Counter>& ports) {
  if (exporters_.empty()) return;
  exports::Outcome outcome{.status = std::string(to_name(status)), .elapsed = elapsed, .ports = {}};
  for (const report::Counter& counter : ports)
    outcome.ports.push_back({counter.module, counter.name, counter.sentence, counter.unit, counter.value});
  for (exports::Exporter* exporter : exporters_) exporter->finish(outcome);
}

void broke_off(const Exporters& exporters) {
  for (exports::Exporter* exporter : exporters) exporter->finish({.status = "broke off", .elapsed = {}, .ports = {}});
}

}  // namespace gicsim::whatif
