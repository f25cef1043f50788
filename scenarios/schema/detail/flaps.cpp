// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/flaps.h"

#include <algorithm>
#include <sstream>

#include "scenarios/schema/detail/field.h"
#include "scenarios/schema/hint.h"

namespace gicsim::schema::detail {
namespace {

constexpr const char* flap_form = "write it like 'node0.nic0.link at 40 us for 2 ms'";

/// Both directions' modules.
std::vector<std::string> wires_of(const std::string& cable, const SystemSpec& system) {
  std::string module = cable;
  std::replace(module.begin(), module.end(), '.', '_');
  if (cable.starts_with("fabric.")) return {module + "_forth", module + "_back"};
  if (system.fabric_switches.empty()) return {"node0_nic0_link_up", "node1_nic0_link_up"};
  return {module + "_up", module + "_down"};
}

/// What is wrong, or nothing.
std::string read_one(const std::string& given, const SystemSpec& system, FlapSpec& flap) {
  const std::string quoted = "'" + given + "': ";
  const std::size_t at = given.find(" at "), lasts = given.rfind(" for ");
  if (at == given.npos || lasts == given.npos || lasts < at) return quoted + "not a cable, a time and how long; " + flap_form;
  flap.cable = given.substr(0, at);
  const std::vector<std::string> names = cables(system);
  if (std::find(names.begin(), names.end(), flap.cable) == names.end()) {
    const std::string near = did_you_mean(flap.cable, names);
    return quoted + "no cable '" + flap.cable + "'" + (near.empty() ? "; there are " + listed(names) : near);
  }
  if (std::string wrong = read(given.substr(at + 4, lasts - at - 4), flap.at); !wrong.empty()) return quoted + wrong;
  if (std::string wrong = read(given.substr(lasts + 5), flap.lasts); !wrong.empty()) return quoted + wrong;
  if (flap.at < Picoseconds{} || flap.lasts <= Picoseconds{}) return quoted + "a time before the run, or no time; " + flap_form;
  flap.wires = wires_of(flap.cable, system);
  return {};
}

}  // namespace

std::vector<std::string> cables(const SystemSpec& system) {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < system.nodes.size(); ++n)
    for (std::size_t p = 0; p < static_cast<std::size_t>(system.nics); ++p)
      names.push_back("node" + std::to_string(n) + ".nic" + std::to_string(p) + ".link");
  for (std::size_t i = 0; i < system.fabric_links.size(); ++i) names.push_back("fabric.link" + std::to_string(i));
  return names;
}

FlapSpec flap_of(const std::string& cable, const SystemSpec& system, Picoseconds at, Picoseconds lasts) {
  return {cable, wires_of(cable, system), at, lasts};
}

void read_flaps(Scenario& scenario, const Location& at, Mistakes& mistakes) {
  if (scenario.flap == "none") return;
  std::istringstream text(scenario.flap);
  for (std::string one; std::getline(text, one, ',');) {
    FlapSpec flap;
    one.erase(0, std::min(one.find_first_not_of(' '), one.size()));
    one.erase(one.find_last_not_of(' ') + 1);
    if (const std::string wrong = read_one(one, scenario.system, flap); !wrong.empty())
      mistakes.push_back({at, "flap: " + wrong});
    else
      scenario.system.flaps.push_back(std::move(flap));
  }
}

}  // namespace gicsim::schema::detail
