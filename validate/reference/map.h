// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "traces/result/names.h"
#include "validate/reference/dataset.h"
#include "validate/reference/request.h"

namespace gicsim::reference {

/// One run's figure, with a factor.
struct Term {
  double times = 1;
  Quantity quantity = Quantity::put_completion;
  ScenarioRequest run;
};

/// C or B of T = C/f + B, through the figure at two clocks.
struct ClockFit {
  enum class Part { cycles, fixed };
  Part part = Part::cycles;
  std::string slow, fast;  ///< "502 MHz", "1845 MHz": values of gpu.clock
};

/// The first of these values of a key at which the figure reaches a threshold, or falls to one.
struct First {
  std::string key;
  std::vector<std::string> among;
  double at_least = 0;  ///< in the unit of the terms' quantity
  bool at_most = false; ///< the threshold is one to fall to
};

/// How one published figure is made of runs: the terms' sum, as a part of another run's figure if there is one, then at most
/// one of the two.
struct Expression {
  std::vector<Term> terms;
  std::optional<Term> over;
  std::optional<ClockFit> clock_fit{};
  std::optional<First> first{};
};

/// Where a figure stands in its dataset, and what it is called in a comparison.
struct Spot {
  std::optional<std::size_t> row;
  std::string column;  ///< or the key of a dataset without rows
  std::string label;   ///< "mini-gda inline (GPU-scope fence): issue_P-IB"
  Use use = Use::check;
  double value = 0;  ///< as published; of a range the lower end
  std::optional<double> most{};  ///< and the upper one
};

struct Expressed {
  Spot spot;
  std::string quantity;  ///< "put_completion"; "bytes" of a First, "cycles" of a fit
  std::string unit;      ///< of the published figure: "us", "cycles"
  double scale = 1;      ///< model's own unit in one published unit: 1000 ns in 1 us
  Expression expression;
};

struct NotExpressed {
  Spot spot;
  std::string why;
};

/// One dataset, each of its figures either expressed or excused.
struct Map {
  std::string table, about;
  std::vector<std::string> settings;  ///< columns that are no figures: they say what a row is
  std::optional<double> tolerance_fit, tolerance_check;  ///< MAPE that strict allows, as fractions
  std::vector<Expressed> expressed;
  std::vector<NotExpressed> not_expressed;
};

/// Datasets that no map covers yet.
struct NoMap {
  std::string table, why;
};

struct Maps {
  std::vector<Map> maps;  ///< in order of the datasets
  std::vector<NoMap> none;
};

/// Every figure of a dataset: its numbers, labels and ranges apart.
std::vector<Spot> spots_of(const Dataset& dataset);

/// Reads all files of a folder and holds them to the datasets: each dataset has one map or one
/// reason, each figure of a mapped one is expressed or excused, once.
/// @throws ConfigError with everything that doesn't hold
Maps load_maps(const std::string& folder, const std::vector<Dataset>& datasets);

}  // namespace gicsim::reference
