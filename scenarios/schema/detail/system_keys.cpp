// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/system_keys.h"

#include <set>
#include <string>

#include "scenarios/schema/block.h"
#include "scenarios/schema/detail/tree.h"
#include "scenarios/schema/hint.h"

namespace gicsim::schema::detail {

void take_system_keys(SystemFile& system, std::deque<Given>& set, Mistakes& mistakes) {
  const auto is_key = [](const Given& value) { return value.key.starts_with("system."); };
  for (const Given& value : set) {
    if (!value.good || !is_key(value)) continue;
    const std::string key = value.key.substr(value.key.find('.') + 1);
    const int field = system_block().find(key);
    if (field < 0) {
      mistakes.push_back({value.key_at, value.key + ": no such key" + did_you_mean(key, system_block().names())});
      continue;
    }
    const std::string wrong =
        system_block().fields[static_cast<std::size_t>(field)].read(value.value, &system.keys);
    if (!wrong.empty()) mistakes.push_back({value.at, value.key + ": " + wrong});
    system.keys_at[key] = value.at;
  }
  std::erase_if(set, is_key);
}

void check_keys(SystemFile& system, Mistakes& mistakes) {
  SystemKeys& keys = system.keys;
  const auto wrong = [&](const char* key, const std::string& what) {
    mistakes.push_back({system.keys_at[key], std::string(key) + ": " + what});
  };
  if (keys.host_socket >= keys.sockets) {
    wrong("host_socket", std::to_string(keys.host_socket) + ", but a node has " + std::to_string(keys.sockets) +
                             ", counted from 0; write a smaller one, or more 'sockets'");
    keys.host_socket = 0;
  }
  const auto given = [&](const char* key) { return system.keys_at.find(key) != system.keys_at.end(); };
  const bool tree = keys.attach == Attach::tree;
  if (tree && given("pairs")) wrong("pairs", "the tree says which GPUs and NICs there are; leave it out");
  if (!tree && given("tree") && !keys.tree.empty()) wrong("tree", "it takes 'attach: tree'; write that, or leave it out");
  if (tree) {
    const std::size_t before = mistakes.size();
    system.read = read_tree(system, mistakes);
    system.good = mistakes.size() == before;  // without it there is no machine
  }
  if (!tree) {
    const bool dma = keys.attach == Attach::dma;
    system.read.dmas = dma ? 1 : 0;
    system.read.gpus = dma ? 0 : static_cast<std::size_t>(keys.pairs);
    system.read.nics = keys.attach == Attach::no_nic ? 0 : system.read.gpus;
    system.read.switches = keys.attach == Attach::pcie_switch ? system.read.gpus : 0;
  }
  const std::size_t nics = system.read.nics;
  if (nics == 0) {
    keys.fabric_switches = 0;
  } else if (keys.fabric_switches == 0 && (keys.nodes != 2 || nics != 1)) {
    wrong("fabric_switches", "0 is one cable between two NICs, and here are " + std::to_string(keys.nodes) +
                                 " nodes with " + std::to_string(nics) +
                                 "; write 'fabric_switches: 1', or two nodes with one NIC each");
    keys.fabric_switches = 1;
  }
  if (keys.fabric == Topology::ring && keys.fabric_switches < 3) {
    wrong("fabric", "ring of " + std::to_string(keys.fabric_switches) + "; write 'fabric_switches: 3' or more");
    keys.fabric = Topology::chain;
  }
}

void check_slots(const Scenario& scenario, Mistakes& mistakes) {
  std::set<std::string> said;
  for (const Resolved& row : scenario.parameters) {
    if (row.kind != "slot" || row.name != "socket") continue;
    if (scenario.system.attach == Attach::tree && !row.at.file.empty() && said.insert(to_text(row.at)).second)
      mistakes.push_back({row.at, row.instance + ".socket: the tree says which root complex it hangs off; leave it out"});
    if (std::stoll(row.value) < scenario.system.sockets) continue;
    if (!said.insert(to_text(row.at)).second) continue;
    mistakes.push_back({row.at, row.instance + "." + row.name + ": " + row.value + ", but a node has " +
                                    std::to_string(scenario.system.sockets) + " sockets, counted from 0"});
  }
}

}  // namespace gicsim::schema::detail
