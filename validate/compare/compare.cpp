// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "scenarios/schema/hint.h"
#include "validate/compare/detail/evaluate.h"

namespace gicsim::compare {
namespace {

using reference::Dataset;
using reference::Expressed;
using reference::Map;

std::set<std::string> systems_of(const Expressed& expressed) {
  std::set<std::string> systems;
  for (const auto& term : expressed.expression.terms) systems.insert(term.run.key("system"));
  return systems;
}

void check(const Library& library, const Selection& selection) {
  std::vector<Mistake> mistakes;
  std::vector<std::string> ids;
  for (const Dataset& dataset : library.datasets) ids.push_back(dataset.id);
  for (const reference::MeasuredTable& table : library.measured) ids.push_back(table.id);
  for (const std::string& table : selection.tables) {
    if (std::find(ids.begin(), ids.end(), table) == ids.end()) {
      mistakes.push_back(
          {{"compare"}, "no table is called '" + table + "'" + schema::did_you_mean(table, ids)});
    }
  }
  std::set<std::string> systems;
  for (const Map& map : library.maps.maps) {
    for (const Expressed& expressed : map.expressed) systems.merge(systems_of(expressed));
  }
  for (const reference::MeasuredTable& table : library.measured) systems.insert(table.system);
  if (!selection.system.empty() && !systems.count(selection.system)) {
    const std::vector<std::string> known(systems.begin(), systems.end());
    mistakes.push_back(
        {{"--system"},
         "no table runs on '" + selection.system + "'; they run on " + schema::listed(known)});
  }
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
}

/// The part of a dataset that has one use, still without rows.
Table empty_table(const Dataset& dataset, Use use) {
  Table table;
  table.id = dataset.id;
  table.title = dataset.title;
  table.use = use;
  return table;
}

void add(const Expressed& expressed, const Selection& selection, Evaluator& evaluator,
         Table& table) {
  const auto& spot = expressed.spot;
  const auto systems = systems_of(expressed);
  if (!selection.system.empty() && !systems.count(selection.system)) {
    table.not_expressed.push_back(
        {spot.label, "left out by --system: runs on " + *systems.begin()});
    return;
  }
  const Figure figure = evaluator.evaluate(expressed.expression);
  if (!figure.wrong.empty()) {
    table.not_expressed.push_back({spot.label, figure.wrong, true});
    return;
  }
  const double model = figure.value / expressed.scale;
  const double published = spot.most ? std::clamp(model, spot.value, *spot.most) : spot.value;
  table.rows.push_back({spot.label, expressed.quantity, expressed.unit, model, published,
                        model / published - 1, expressed.expression.terms.front().run});
}

/// What a scenario can't express is found out by running it: keys that it doesn't know, a path that a pattern lacks.
void add(const reference::MeasuredRow& row, Evaluator& evaluator, Table& table) {
  Skipped skipped{row.label, row.why};
  Figure figure;
  if (skipped.why.empty()) {
    try {
      figure = evaluator.evaluate({{{1, row.quantity, row.run}}, {}, {}});
      skipped.why = figure.wrong, skipped.failed = true;
    } catch (const ConfigError& error) {
      skipped.why = error.mistakes().front().what;
    }
  }
  if (!skipped.why.empty()) {
    table.not_expressed.push_back(std::move(skipped));
    return;
  }
  table.rows.push_back({row.label, std::string(to_name(row.quantity)), std::string(unit_of(row.quantity)), figure.value,
                        row.value, figure.value / row.value - 1, row.run, std::pair{row.low, row.high}});
}

void score(Table& table) {
  if (table.rows.empty()) return;
  double sum = 0;
  for (const Row& row : table.rows) sum += std::abs(row.error);
  table.mape = sum / static_cast<double>(table.rows.size());
}

}  // namespace

Library load_library(const std::string& root) {
  Library library;
  library.datasets = reference::load_datasets(root + "/validate/reference/measurements.yaml");
  library.maps = reference::load_maps(root + "/validate/reference/maps", library.datasets);
  library.measured = reference::load_all_measured(root + "/validate/reference/measured");
  return library;
}

Comparison compare(const Library& library, const Selection& selection, const Simulate& simulate) {
  check(library, selection);
  Evaluator evaluator(simulate);
  Comparison comparison;
  const auto wanted = [&](const std::string& id) {
    const auto& tables = selection.tables;
    return tables.empty() || std::find(tables.begin(), tables.end(), id) != tables.end();
  };
  for (const Map& map : library.maps.maps) {
    if (!wanted(map.table)) continue;
    const Dataset& dataset = *reference::find(library.datasets, map.table);
    for (const Use use : dataset.uses()) {
      Table table = empty_table(dataset, use);
      if (use == Use::fit) table.tolerance = map.tolerance_fit;
      if (use == Use::check) table.tolerance = map.tolerance_check;
      for (const Expressed& expressed : map.expressed) {
        if (expressed.spot.use == use) add(expressed, selection, evaluator, table);
      }
      for (const auto& excused : map.not_expressed) {
        if (excused.spot.use == use)
          table.not_expressed.push_back({excused.spot.label, excused.why});
      }
      score(table);
      comparison.tables.push_back(std::move(table));
    }
  }
  for (const auto& none : library.maps.none) {
    if (!wanted(none.table)) continue;
    const Dataset& dataset = *reference::find(library.datasets, none.table);
    for (const Use use : dataset.uses()) {
      Table table = empty_table(dataset, use);
      table.mapped = false;
      table.not_expressed.push_back({"all of it", none.why});
      comparison.tables.push_back(std::move(table));
    }
  }
  for (const reference::MeasuredTable& measured : library.measured) {
    if (!wanted(measured.id) || (!selection.system.empty() && measured.system != selection.system)) continue;
    for (const Use use : {Use::fit, Use::check, Use::note}) {
      Table table;
      table.id = measured.id;
      table.title = measured.title;
      table.use = use;
      for (const reference::MeasuredRow& row : measured.rows)
        if (row.use == use) add(row, evaluator, table);
      score(table);
      if (!table.rows.empty() || !table.not_expressed.empty()) comparison.tables.push_back(std::move(table));
    }
  }
  comparison.runs = evaluator.runs();
  return comparison;
}

}  // namespace gicsim::compare
