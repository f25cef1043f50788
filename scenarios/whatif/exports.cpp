// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/exports.h"

#include "scenarios/whatif/bound.h"

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

std::vector<exports::Gauge> Sampler::gauges() const {
  std::vector<exports::Gauge> all;
  for (const system::Level& level : levels_) all.push_back({level.module, level.what, level.unit, level.unit == "ps"});
  for (const Use& use : uses(scenario_, system_)) {
    const std::size_t dot = use.resource.rfind('.');
    all.push_back({use.resource.substr(0, dot), use.resource.substr(dot + 1), "ps", true, use.servers});
  }
  return all;
}

void Sampler::read() {
  if (exporter_.interval() <= Picoseconds{}) return;
  values_.clear();
  for (const system::Level& level : levels_) values_.push_back(level.read());
  for (const Use& use : uses(scenario_, system_)) values_.push_back(use.busy.count());
  exporter_.sample({kernel_.now(), values_});
}

void Sampler::begin() {
  read();
  if (exporter_.interval() > Picoseconds{}) kernel_.tick<&Sampler::on_tick>(kernel_.now() + exporter_.interval(), this);
}

void Sampler::on_tick() {
  ++ticks_;
  begin();
}

Heard::Heard(const Exporters& exporters, const schema::Scenario& scenario, system::System& system,
             workloads::Workload& workload)
    : exporters_(exporters), machine_(machine_of(scenario, system)) {
  for (exports::Exporter* exporter : exporters_) {
    Sampler& sampler = samplers_.emplace_back(system.kernel(), scenario, system, *exporter);
    if (gauges_.empty()) gauges_ = sampler.gauges();
    exporter->listen({system.kernel(), machine_, system.tlps(), system.packets(), system.port_events(),
                      workload.messages(), gauges_});
    sampler.begin();
  }
}

Count Heard::events() const {
  Count all = 0;
  for (const Sampler& sampler : samplers_) all += sampler.ticks();
  return all;
}

void Heard::finish(const report::Finished& finished) {
  if (exporters_.empty()) return;
  for (Sampler& sampler : samplers_) sampler.read();
  exports::Outcome outcome{.status = std::string(to_name(finished.status)), .elapsed = finished.elapsed, .ports = {}};
  for (const report::Counter& counter : finished.ports)
    outcome.ports.push_back({counter.module, counter.name, counter.sentence, counter.unit, counter.value});
  for (exports::Exporter* exporter : exporters_) exporter->finish(outcome);
}

void broke_off(const Exporters& exporters) {
  for (exports::Exporter* exporter : exporters) exporter->finish({.status = "broke off", .elapsed = {}, .ports = {}});
}

}  // namespace gicsim::whatif
