// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "models/units/text.h"
#include "validate/compare/compare.h"

/// A simulator that answers from a formula, and a library of one table made for a test.
namespace gicsim::compare::fake {

inline Record record(Quantity quantity, double value) {
  Record made;
  made.quantity = quantity;
  made.value = value;
  return made;
}

/// Reports these records for every run and counts the runs.
struct Simulator {
  std::function<std::vector<Record>(const ScenarioRequest&)> results;
  Status status = Status::done;
  int runs = 0;
  Simulate function() {
    return [this](const ScenarioRequest& request) {
      ++runs;
      report::Finished finished;
      finished.status = status;
      finished.results = results(request);
      return finished;
    };
  }
};

inline reference::Spot spot(std::string label, Use use, double value) {
  return {std::nullopt, label, label, use, value};
}

inline ScenarioRequest request(std::string bytes, std::string system = "s") {
  return {{{"bytes", std::move(bytes)}, {"system", std::move(system)}}, {}};
}

/// One latency in us of one run of `bytes`.
inline reference::Expressed latency(std::string label, Use use, double value, std::string bytes) {
  return {spot(std::move(label), use, value),
          "issue",
          "us",
          1000,
          {{{1, Quantity::issue, request(std::move(bytes))}}, std::nullopt, std::nullopt}};
}

/// A library of one dataset "t" of both uses and one without a map.
inline Library library(std::vector<reference::Expressed> expressed) {
  Library made;
  reference::Dataset table, other;
  table.id = "t";
  table.title = "a table";
  table.scalars = {{"f", {}}, {"c", {}}};
  table.fit_keys = {"f"};
  other.id = "other";
  other.whole = Use::check;
  made.datasets = {table, other};
  reference::Map map;
  map.table = "t";
  map.expressed = std::move(expressed);
  map.not_expressed = {{spot("x", Use::check, 0), "needs y"}};
  made.maps.maps = {map};
  made.maps.none = {{"other", "later"}};
  return made;
}

}  // namespace gicsim::compare::fake
