// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/fabric.h"

#include <sstream>

namespace gicsim::schema::detail {

void size_fabric(SystemSpec& spec, const SystemKeys& keys) {
  spec.topology = keys.fabric;
  auto switches = static_cast<std::size_t>(keys.fabric_switches);
  std::size_t links = switches == 0 ? 0 : switches - 1;
  if (switches > 0 && keys.fabric == Topology::leaf_spine) {
    spec.spines = static_cast<std::size_t>(keys.spines);
    links = static_cast<std::size_t>(keys.leaves) * spec.spines;
    switches = static_cast<std::size_t>(keys.leaves) + spec.spines;
  } else if (switches > 0 && keys.fabric == Topology::ring) {
    links = switches;
  }
  spec.fabric_switches.resize(switches);
  spec.fabric_buffers.resize(switches);
  spec.fabric_links.resize(links);
}

void write_fabric(SystemKeys& keys, const SystemSpec& spec) {
  keys.fabric = spec.topology;
  if (spec.topology != Topology::leaf_spine) return;
  keys.spines = static_cast<Count>(spec.spines);
  keys.leaves = static_cast<Count>(spec.fabric_switches.size() - spec.spines);
  keys.fabric_switches = 1;
}

std::vector<Lane> lanes(const Scenario& s, const std::vector<std::uint8_t>& service_levels) {
  std::vector<Lane> all;
  const auto add = [&](std::size_t from, std::size_t to) {
    for (const Flow& flow : s.routes)
      all.push_back({from, to, flow, service_levels[all.size() % service_levels.size()]});
  };
  const std::size_t nodes = s.system.nodes.size();
  switch (s.traffic) {
    case Traffic::pair:
      add(0, 1);
      break;
    case Traffic::incast:
      for (std::size_t n = 1;
           n < nodes && (s.senders == 0 || n <= static_cast<std::size_t>(s.senders)); ++n)
        add(n, 0);
      break;
    case Traffic::all_to_all:
      for (std::size_t step = 1; step < nodes; ++step)
        for (std::size_t n = 0; n < nodes; ++n) add(n, (n + step) % nodes);
      break;
    case Traffic::shift:
      for (std::size_t n = 0; n < nodes; ++n)
        add(n, (n + static_cast<std::size_t>(s.shift)) % nodes);
      break;
  }
  return all;
}

std::vector<std::uint8_t> service_levels(const std::string& text) {
  std::vector<std::uint8_t> all;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    const std::size_t first = item.find_first_not_of(' '), last = item.find_last_not_of(' ');
    if (first == item.npos || first != last || item[first] < '0' || item[first] > '7') return {};
    all.push_back(static_cast<std::uint8_t>(item[first] - '0'));
  }
  return all;
}

}  // namespace gicsim::schema::detail
