// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "validate/reference/detail/tree.h"
#include "validate/reference/map.h"

namespace gicsim::reference {

/// What a map says of a cell so far: defaults, then its column, then its row (or key) laid over it.
struct Layer {
  std::optional<Quantity> quantity;
  std::string unit;
  const Node* sum = nullptr;
  const Node* over = nullptr;
  std::optional<First> first;
  std::optional<ClockFit::Part> part;
  std::vector<std::string> ends;
  ScenarioRequest run;

  /// Lays an entry over this; `own` are the words of the entry that the caller reads itself.
  void add(const Node& entry, const std::vector<std::string>& own, std::vector<Mistake>& mistakes);
};

/// The figure that a finished layer describes, in the unit that the dataset or the map gives.
/// @param at  where to point when something lacks
Expressed to_expressed(const Layer& layer, Spot spot, const Dataset& dataset, const Location& at,
                       std::vector<Mistake>& mistakes);

}  // namespace gicsim::reference
