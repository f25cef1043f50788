// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/heard.h"

#include "scenarios/whatif/bound.h"
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

std::vector<exports::Gauge> Sampler::gauges() {
  std::vector<exports::Gauge> all;
  for (const system::Level& level : levels_) all.push_back({level.module, level.what, level.unit, level.unit == "ps"});
  for (const Use& use : uses(scenario_, system_)) {
    const std::size_t dot = use.resource.rfind('.');
    all.push_back({use.resource.substr(0, dot), use.resource.substr(dot + 1), "ps", true, use.servers});
  }
  size_ = all.size();
  return all;
}

void Sampler::read() {
  if (exporter_.interval() <= Picoseconds{}) return;
  values_.clear();
  for (const system::Level& level : levels_) values_.push_back(level.read());
  if (exporter_.wants_busy())
    for (const Use& use : uses(scenario_, system_)) values_.push_back(use.busy.count());
  else
    values_.resize(size_);
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
             Probe<MessageEnded>& messages, Probe<StepPlayed>* steps, std::vector<std::string> ranks)
    : exporters_(exporters), machine_(machine_of(scenario, system)) {
  machine_.ranks = std::move(ranks);
  for (exports::Exporter* exporter : exporters_) {
    Sampler& sampler = samplers_.emplace_back(system.kernel(), scenario, system, *exporter);
    std::vector<exports::Gauge> gauges = sampler.gauges();
    if (gauges_.empty()) gauges_ = std::move(gauges);
    exporter->listen({system.kernel(), machine_, system.tlps(), system.packets(), system.port_events(),
                      messages, gauges_, steps});
    sampler.begin();
  }
}

Count Heard::events() const {
  Count all = 0;
  for (const Sampler& sampler : samplers_) all += sampler.ticks();
  return all;
}

void Heard::finish(Status status, Picoseconds elapsed, const std::vector<report::Counter>& ports) {
  if (exporters_.empty()) return;
  for (Sampler& sampler : samplers_) sampler.read();
  exports::Outcome outcome{.status = std::string(to_name(status)), .elapsed = elapsed, .ports = {}};
  for (const report::Counter& counter : ports)
    outcome.ports.push_back({counter.module, counter.name, counter.sentence, counter.unit, counter.value});
  for (exports::Exporter* exporter : exporters_) exporter->finish(outcome);
}

void broke_off(const Exporters& exporters) {
  for (exports::Exporter* exporter : exporters) exporter->finish({.status = "broke off", .elapsed = {}, .ports = {}});
}

}  // namespace gicsim::whatif
