// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/system/flaps.h"

#include <algorithm>

#include "models/units/text.h"

namespace gicsim::system {

Flaps::Flaps(Kernel& kernel, const schema::SystemSpec& spec, const std::vector<std::unique_ptr<Node>>& nodes,
             const std::vector<std::unique_ptr<link::Wire>>& wires)
    : kernel_(kernel) {
  for (const schema::FlapSpec& flap : spec.flaps) {
    One& one = ones_.emplace_back(*this, flap);
    for (const auto& wire : wires)
      if (std::find(flap.wires.begin(), flap.wires.end(), wire->name()) != flap.wires.end()) {
        wire->script(link::Outage{flap.at, flap.at + flap.lasts});
        one.wires.push_back(wire.get());
      }
    if (flap.cable.starts_with("fabric.")) one.ports = {flap.cable};
    else if (spec.fabric_switches.empty()) one.ports = {"node0.nic0", "node1.nic0"};
    else one.ports = {flap.cable.substr(0, flap.cable.rfind('.'))};
    for (const std::string& port : one.ports)
      for (const auto& node : nodes)
        if (const std::string prefix = std::string(node->name()) + "."; port.starts_with(prefix))
          one.nics.push_back(node->nic_named(port.substr(prefix.size())));
    kernel.tick<&One::on_down>(flap.at, &one);
    kernel.tick<&One::on_up>(flap.at + flap.lasts, &one);
  }
}

void Flaps::One::on_down() {
  downed = true;
  for (link::Wire* wire : wires) wire->went_down();
  for (const std::string& port : ports) all.events_.announce(PortEvent{port, false, all.kernel_.now()});
  for (nic::Nic* nic : nics) nic->port_changed(false);
}

void Flaps::One::on_up() {
  upped = true;
  for (const std::string& port : ports) all.events_.announce(PortEvent{port, true, all.kernel_.now()});
  for (nic::Nic* nic : nics) nic->port_changed(true);
}

std::string Flaps::One::told() const {
  return spec.cable + ": down at " + text::write(spec.at) +
         (downed && !upped ? ", and still so at the end" : ", up at " + text::write(spec.at + spec.lasts));
}

std::vector<std::string> Flaps::happened() const {
  std::vector<std::string> lines;
  for (const One& one : ones_)
    if (one.downed && !one.spec.of_fault) lines.push_back(one.told());
  return lines;
}

std::vector<std::string> Flaps::missed() const {
  std::vector<std::string> lines;
  for (const One& one : ones_)
    if (!one.downed && !one.spec.of_fault) lines.push_back(one.told());
  return lines;
}

}  // namespace gicsim::system
