// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/errors.h"
#include "traces/result/names.h"

/// Figures that others published, and the maps that say which scenario of ours expresses which.
namespace gicsim::reference {

/// What a figure may be used for: calibration, comparison, or neither.
enum class Use { fit, check, note };
constexpr auto names_of(Use) { return std::array<std::string_view, 3>{"fit", "check", "note"}; }

/// One published cell. Text that isn't a number (a label, a range) has no `number`.
struct Cell {
  std::string text;  ///< empty: not reported
  std::optional<double> number;
  std::optional<std::pair<double, double>> range{};  ///< of a key that ends in _range
  Location at;
};

/// One published table (`columns`, `rows`) or set of named figures (`scalars`).
struct Dataset {
  std::string id, title, quantity, unit;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::pair<std::string, Cell>>
      scalars;  ///< maps inside are flattened: "P_IB.gpu_scope_fence"
  Location at;

  Use row_use(std::size_t row) const;
  Use key_use(std::string_view key) const;  ///< of "a.b": a's own, unless a.b has one
  /// The uses that occur, in order fit, check, note.
  std::vector<Use> uses() const;
  std::optional<std::size_t> column(std::string_view name) const;
  const Cell* scalar(std::string_view key) const;

  std::optional<Use> whole;  ///< of all rows; none: mixed, by the lists below
  std::vector<std::size_t> fit_rows, note_rows;
  std::vector<std::string> fit_keys;
};

/// Reads `validate/reference/measurements.yaml`.
/// @throws ConfigError with everything that is wrong with the file
std::vector<Dataset> load_datasets(const std::string& file);

/// The dataset of that id, or none.
const Dataset* find(const std::vector<Dataset>& datasets, std::string_view id);

}  // namespace gicsim::reference
