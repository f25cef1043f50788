// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/report/finished.h"
#include "validate/reference/map.h"
#include "validate/reference/measured.h"

/// The models held against published figures.
namespace gicsim::compare {

using reference::ScenarioRequest;
using reference::Use;

/// Runs one scenario to its end.
using Simulate = std::function<report::Finished(const ScenarioRequest&)>;

/// A published figure and ours.
struct Row {
  std::string label, quantity, unit;
  double model = 0, reference = 0;  ///< in `unit`, the publication's own
  double error = 0;                 ///< model / reference - 1
  ScenarioRequest run;              ///< of the first term
  std::optional<std::pair<double, double>> spread{};  ///< of a measured one: its repeats' medians, over all runs
};

struct Skipped {
  std::string label, why;
  bool failed = false;  ///< the map has it, but its run gave no figure
};

/// The figures of one dataset that have one use.
struct Table {
  std::string id, title;
  Use use = Use::check;
  bool mapped = true;
  std::vector<Row> rows;
  std::vector<Skipped> not_expressed;
  std::optional<double> mape;       ///< none: no rows
  std::optional<double> tolerance;  ///< of the MAPE, where the map states one
};

struct Comparison {
  std::vector<Table> tables;
  std::size_t runs = 0;  ///< distinct scenarios
};

/// The published figures and how we express them.
struct Library {
  std::vector<reference::Dataset> datasets;
  reference::Maps maps;
  std::vector<reference::MeasuredTable> measured;
};

/// @param root  the project's folder
Library load_library(const std::string& root);

struct Selection {
  std::vector<std::string> tables;  ///< none: all
  std::string system;               ///< only rows that run on this one; empty: all
  std::vector<std::string> records{};  ///< files to be held against instead of what is kept here
};

/// Runs each distinct scenario of the selected tables once.
/// @throws ConfigError for a table or a system that no map knows, all at once
Comparison compare(const Library& library, const Selection& selection, const Simulate& simulate);

}  // namespace gicsim::compare
