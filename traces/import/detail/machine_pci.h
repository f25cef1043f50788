// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "traces/import/detail/machine_facts.h"

namespace gicsim::imports::detail {

using Above = std::vector<const PciDevice*>;  ///< of a device: its ports, the nearest first

/// Bridges and buses, as one tree.
class PciTree {
 public:
  explicit PciTree(const MachineFacts& facts);
  bool shown() const;  ///< some file tells what is plugged in where
  /// @throws ConfigError  it lies below itself
  Above above(const PciDevice& device) const;
  /// By what it says of itself, else by its place: root port, then upstream and downstream ports in turn.
  Port kind(const Above& ports, std::size_t i) const;

 private:
  const PciDevice* parent_of(const PciDevice& device) const;

  const MachineFacts& facts_;
  std::map<std::pair<std::uint32_t, int>, const PciDevice*> owner_;  // of a bus: the bridge that leads to it
};

}  // namespace gicsim::imports::detail
