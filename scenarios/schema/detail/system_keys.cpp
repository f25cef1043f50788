// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/system_keys.h"

#include <set>
#include <string>

#include "scenarios/schema/block.h"
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
  if (keys.attach >= Attach::no_nic) {
    keys.fabric_switches = 0;
  } else if (keys.fabric_switches == 0 && (keys.nodes != 2 || keys.pairs != 1)) {
    wrong("fabric_switches", "0 is one cable between two NICs, and here are " + std::to_string(keys.nodes) +
                                 " nodes with " + std::to_string(keys.pairs) +
                                 "; write 'fabric_switches: 1', or two nodes with one pair each");
    keys.fabric_switches = 1;
  }
}

void check_slots(const Scenario& scenario, Mistakes& mistakes) {
  std::set<std::string> said;
  for (const Resolved& row : scenario.parameters) {
    if (row.kind != "slot" || std::stoll(row.value) < scenario.system.sockets) continue;
    if (!said.insert(to_text(row.at)).second) continue;
    mistakes.push_back({row.at, row.instance + "." + row.name + ": " + row.value + ", but a node has " +
                                    std::to_string(scenario.system.sockets) + " sockets, counted from 0"});
  }
}

}  // namespace gicsim::schema::detail
