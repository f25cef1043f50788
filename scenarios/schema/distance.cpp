// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/schema/scenario.h"

namespace gicsim::schema {
namespace {

using Place = std::pair<Stand, std::size_t>;

/// What lies above a device, from the nearest to the root complex.
std::vector<Place> above(const std::vector<Plug>& plugs, Place at) {
  std::vector<Place> places;
  while (at.first != Stand::root) {
    const auto plug = std::find_if(plugs.begin(), plugs.end(),
                                   [&](const Plug& p) { return p.stand == at.first && p.number == at.second; });
    at = {plug->under, plug->under_number};
    places.push_back(at);
  }
  return places;
}

}  // namespace

std::vector<Plug> plugs(const SystemSpec& system, std::size_t node) {
  if (system.attach == Attach::tree) return system.tree;
  std::vector<Plug> all;
  const NodeSpec& spec = system.nodes[node];
  for (std::size_t i = 0; i < spec.dmas.size(); ++i)
    all.push_back({Stand::dma, i, Stand::root, static_cast<std::size_t>(system.host_socket)});
  const auto root = [](Count socket) { return static_cast<std::size_t>(socket); };
  for (std::size_t i = 0; i < spec.pairs.size(); ++i) {
    const PairSpec& pair = spec.pairs[i];
    if (system.attach == Attach::pcie_switch) {
      all.push_back({Stand::gpu, i, Stand::pcie_switch, i});
      all.push_back({Stand::nic, i, Stand::pcie_switch, i});
      all.push_back({Stand::pcie_switch, i, Stand::root, root(spec.switches[i].slot.socket)});
      continue;
    }
    all.push_back({Stand::gpu, i, Stand::root, root(pair.gpu_slot.socket)});
    if (has_nics(system)) all.push_back({Stand::nic, i, Stand::root, root(pair.nic_slot.socket)});
  }
  return all;
}

Distance distance(const SystemSpec& system, std::size_t node, std::size_t gpu, std::size_t nic) {
  const std::vector<Plug> all = plugs(system, node);
  const auto of_gpu = above(all, {Stand::gpu, gpu}), of_nic = above(all, {Stand::nic, nic});
  const auto met = std::find_first_of(of_gpu.begin(), of_gpu.end(), of_nic.begin(), of_nic.end());
  if (met == of_gpu.end()) return Distance::sys;
  const bool direct = met->first == Stand::root && of_gpu.size() > 1 && of_gpu[of_gpu.size() - 2].first == Stand::bridge;
  const bool other = met->first == Stand::root && of_nic.size() > 1 && of_nic[of_nic.size() - 2].first == Stand::bridge;
  switch (met->first) {
    case Stand::pcie_switch: {
      const auto up = met - of_gpu.begin(), down = std::find(of_nic.begin(), of_nic.end(), *met) - of_nic.begin();
      return up + down == 0 ? Distance::pix : Distance::pxb;
    }
    case Stand::root: return direct || other ? Distance::node : Distance::phb;
    case Stand::bridge:
    case Stand::gpu:
    case Stand::nic:
    case Stand::dma: break;
  }
  return Distance::phb;
}

}  // namespace gicsim::schema
