// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/scenario.h"

namespace gicsim::schema {

Count gpu_socket(const SystemSpec& system, const PairSpec& pair) {
  return system.attach == Attach::pcie_switch ? pair.switch_slot.socket : pair.gpu_slot.socket;
}

Count nic_socket(const SystemSpec& system, const PairSpec& pair) {
  return system.attach == Attach::pcie_switch ? pair.switch_slot.socket : pair.nic_slot.socket;
}

Distance distance(const SystemSpec& system, std::size_t node, std::size_t gpu, std::size_t nic) {
  const auto& pairs = system.nodes[node].pairs;
  if (gpu_socket(system, pairs[gpu]) != nic_socket(system, pairs[nic])) return Distance::sys;
  return gpu == nic && system.attach == Attach::pcie_switch ? Distance::pix : Distance::phb;
}

}  // namespace gicsim::schema
