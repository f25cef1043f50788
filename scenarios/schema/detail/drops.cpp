// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/drops.h"

#include <algorithm>
#include <sstream>

#include "scenarios/schema/detail/field.h"
#include "scenarios/schema/detail/flaps.h"
#include "scenarios/schema/hint.h"

namespace gicsim::schema::detail {
namespace {

constexpr const char* form = "write it like 'node0.nic0.link up ack 3'";

/// What is wrong, or nothing.
std::string read_one(const std::string& given, const SystemSpec& system, DropSpec& drop) {
  const std::string quoted = "'" + given + "': ";
  std::istringstream text(given);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  if (words.size() != 4) return quoted + "not a cable, a direction, a packet and a number; " + form;
  const std::vector<std::string> names = cables(system);
  if (std::find(names.begin(), names.end(), words[0]) == names.end()) {
    const std::string near = did_you_mean(words[0], names);
    return quoted + "no cable '" + words[0] + "'" + (near.empty() ? "; there are " + listed(names) : near);
  }
  const bool fabric = words[0].starts_with("fabric.");
  const std::vector<std::string> ways =
      fabric ? std::vector<std::string>{"forth", "back"} : std::vector<std::string>{"up", "down"};
  if (words[1] != ways[0] && words[1] != ways[1])
    return quoted + "'" + words[1] + "' is no direction of " + words[0] + "; write " + ways[0] + " or " + ways[1];
  if (std::string wrong = read(words[2], drop.drop.packet); !wrong.empty()) return quoted + wrong;
  if (std::string wrong = read(words[3], drop.drop.nth); !wrong.empty()) return quoted + wrong;
  if (drop.drop.nth < 1) return quoted + "packets count from 1; " + form;
  drop.wire = words[0] + "_" + words[1];
  std::replace(drop.wire.begin(), drop.wire.end(), '.', '_');
  return {};
}

}  // namespace

void read_drops(Scenario& scenario, const Location& at, Mistakes& mistakes) {
  if (scenario.drop == "none") return;
  std::istringstream text(scenario.drop);
  for (std::string one; std::getline(text, one, ',');) {
    DropSpec drop;
    if (const std::string wrong = read_one(one.substr(std::min(one.find_first_not_of(' '), one.size())),
                                           scenario.system, drop);
        !wrong.empty())
      mistakes.push_back({at, "drop: " + wrong});
    else
      scenario.system.drops.push_back(std::move(drop));
  }
}

}  // namespace gicsim::schema::detail
