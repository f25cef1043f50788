// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/schema/detail/checks.h"

#include <algorithm>
#include <functional>

namespace gicsim::schema::detail {
namespace {

bool any_cable(const SystemSpec& system, const std::function<bool(const Cable&)>& has) {
  for (const NodeSpec& node : system.nodes)
    for (const PairSpec& pair : node.pairs)
      if (has(pair.nic_link)) return true;
  return std::any_of(system.fabric_links.begin(), system.fabric_links.end(), has);
}

}  // namespace

std::string idle_cable_value(const std::string& key, const SystemSpec& system) {
  const std::size_t dot = key.rfind('.');
  if (dot == key.npos || !has_nics(system)) return {};
  const std::size_t before = key.rfind('.', dot - 1);
  const std::string of = key.substr(before == key.npos ? 0 : before + 1, dot - (before == key.npos ? 0 : before + 1));
  const std::string name = key.substr(dot + 1);
  const auto any = [&](auto has) { return any_cable(system, has); };
  if (of == "fec" && name != "code" && !any([](const Cable& c) { return c.errors.fec.code != link::FecCode::lumped; }))
    return "link.fec.code is lumped";
  if (of == "link" && name == "fec" && !any([](const Cable& c) { return c.errors.fec.code == link::FecCode::lumped; }))
    return "link.fec.code says what its code takes";
  if (of == "burst" && (name == "to_good" || name == "loss_bad") &&
      !any([](const Cable& c) { return c.errors.burst.to_bad > Probability{}; }))
    return "link.burst.to_bad is 0";
  if (of == "retry" && name != "on" && !any([](const Cable& c) { return c.errors.retry.on; }))
    return "link.retry.on is false";
  if (of == "stress" && !any([](const Cable& c) { return c.stress_ber; })) return "link.stress_ber is false";
  return {};
}

}  // namespace gicsim::schema::detail
