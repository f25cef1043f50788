// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/machine_pci.h"

#include <algorithm>

namespace gicsim::imports::detail {
namespace {

constexpr int deepest = 32;

}  // namespace

PciTree::PciTree(const MachineFacts& facts) : facts_(facts) {
  for (const auto& [at, device] : facts.devices)
    if (device.secondary && device.secondary->value != at.bus)
      owner_.try_emplace({at.domain, device.secondary->value}, &device);
}

bool PciTree::shown() const {
  return !owner_.empty() || std::any_of(facts_.devices.begin(), facts_.devices.end(), [](const auto& entry) {
    return entry.second.on_root_bus || entry.second.parent;
  });
}

const PciDevice* PciTree::parent_of(const PciDevice& device) const {
  const auto bridge = owner_.find({device.at.domain, device.at.bus});
  if (bridge != owner_.end() && bridge->second != &device) return bridge->second;
  if (!device.parent) return nullptr;
  const auto parent = facts_.devices.find(device.parent->value);
  return parent == facts_.devices.end() ? nullptr : &parent->second;
}

Above PciTree::above(const PciDevice& device) const {
  Above ports;
  for (const PciDevice* port = parent_of(device); port != nullptr; port = parent_of(*port)) {
    ports.push_back(port);
    if (std::ssize(ports) <= deepest) continue;
    throw ConfigError(Location{device.seen.file, device.seen.line, 1},
                      to_text(device.at) + ": lies below itself, or too deep; give files of one machine");
  }
  return ports;
}

Port PciTree::kind(const Above& ports, std::size_t i) const {
  const PciDevice& port = *ports[i];
  if (port.port && port.port->value != Port::unknown && port.port->value != Port::endpoint) return port.port->value;
  if (i + 1 == ports.size()) return Port::root;
  return kind(ports, i + 1) == Port::upstream ? Port::downstream : Port::upstream;
}

}  // namespace gicsim::imports::detail
