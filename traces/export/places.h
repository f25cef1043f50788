// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gicsim::exports {

/// A module's name, taken apart: "node0.gpu0_pcie_up" is gpu0_pcie_up of node0; cables and switches between nodes are
/// the fabric's, and keep their names.
struct Place {
  std::string_view process, name;
};
constexpr Place place_of(std::string_view module) {
  constexpr std::string_view node = "node";
  if (!module.starts_with(node)) return {"fabric", module};
  std::size_t end = node.size();
  while (end < module.size() && module[end] >= '0' && module[end] <= '9') ++end;
  if (end == node.size() || end == module.size() || module[end] != '.') return {"fabric", module};
  return {module.substr(0, end), module.substr(end + 1)};
}

}  // namespace gicsim::exports
