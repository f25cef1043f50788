// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/faults.h"

#include <algorithm>
#include <sstream>

#include "scenarios/schema/detail/field.h"
#include "scenarios/schema/detail/flaps.h"
#include "scenarios/schema/hint.h"

namespace gicsim::schema::detail {
namespace {

std::vector<std::string> devices(const SystemSpec& system) {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < system.nodes.size(); ++n)
    for (std::size_t p = 0; p < system.nodes[n].pairs.size(); ++p)
      for (const char* kind : {"gpu", "nic"})
        if (kind[0] == 'g' || has_nics(system))
          names.push_back("node" + std::to_string(n) + "." + kind + std::to_string(p));
  return names;
}

/// What is wrong, or nothing.
std::string read_one(const std::string& given, const SystemSpec& system, FaultSpec& spec) {
  const std::string quoted = "'" + given + "': ";
  std::istringstream text(given);
  std::string device, fault, third, rest;
  text >> device >> fault >> third;
  std::getline(text, rest);
  if (third.empty())
    return quoted + "not a device, a fault, and when; write it like 'node0.gpu0 fatal at 40 us' or "
                    "'node0.gpu0 lost_completion 3'";
  const std::vector<std::string> names = devices(system);
  if (std::find(names.begin(), names.end(), device) == names.end()) {
    const std::string near = did_you_mean(device, names);
    return quoted + "no device '" + device + "'" + (near.empty() ? "; there are " + listed(names) : near);
  }
  spec.node = static_cast<std::size_t>(std::stoul(device.substr(4)));
  spec.device = device.substr(device.find('.') + 1);
  if (std::string wrong = read(fault, spec.fault); !wrong.empty()) return quoted + wrong;
  if (spec.fault == Fault::port_down && spec.device[0] == 'g') return quoted + "a GPU has no network port; write a NIC";
  if (is_misanswer(spec.fault)) {
    if (third == "at" || !rest.empty()) return quoted + fault + " is of one answer; write '" + device + " " + fault + " 3'";
    if (std::string wrong = read(third, spec.nth); !wrong.empty()) return quoted + wrong;
    return spec.nth < 1 ? quoted + "answers count from 1" : "";
  }
  if (third != "at") return quoted + fault + " happens at a time; write '" + device + " " + fault + " at 40 us'";
  const std::size_t begin = rest.find_first_not_of(' ');
  if (std::string wrong = read(begin == rest.npos ? "" : rest.substr(begin), spec.at); !wrong.empty())
    return quoted + wrong;
  return {};
}

}  // namespace

void read_faults(Scenario& scenario, const Location& at, Mistakes& mistakes) {
  if (scenario.fault == "none") return;
  std::istringstream text(scenario.fault);
  for (std::string one; std::getline(text, one, ',');) {
    FaultSpec spec;
    one.erase(0, std::min(one.find_first_not_of(' '), one.size()));
    if (const std::string wrong = read_one(one, scenario.system, spec); !wrong.empty()) {
      mistakes.push_back({at, "fault: " + wrong});
      continue;
    }
    if (spec.fault == Fault::port_down) {
      const std::string cable = "node" + std::to_string(spec.node) + "." + spec.device + ".link";
      scenario.system.flaps.push_back(flap_of(cable, scenario.system, spec.at, scenario.system.recovery.reinit));
      scenario.system.flaps.back().of_fault = true;
    }
    scenario.system.faults.push_back(std::move(spec));
  }
}

}  // namespace gicsim::schema::detail
