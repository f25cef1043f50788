// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "validate/compare/compare.h"

/// DEVIATIONS.md: the known misses. Read to hold a comparison to it, printed to update it.
namespace gicsim::compare {

inline constexpr double miss = 0.10;   ///< an error beyond this is a miss and wants a line
inline constexpr double drift = 0.02;  ///< a listed error may move by this before its line is stale

/// One line of the table.
struct Deviation {
  std::string table, label;
  double error = 0;
  std::string cause;
  Location at;
};

/// Reads the lines of the file that begin with a bar; prose around them is free. No file: none.
/// @throws ConfigError with every line that isn't six cells with an error in %
std::vector<Deviation> load_deviations(const std::string& file);

/// What `--strict` fails on: misses without a line, runs without a figure, MAPE above tolerance.
/// Rows of use `note` are shown, not scored.
std::vector<std::string> strict_failures(const Comparison& comparison,
                                         const std::vector<Deviation>& known);

/// Lines that no longer hold: closed, moved by more than `drift`, gone, without a cause. Only of
/// the tables compared.
std::vector<std::string> stale_lines(const Comparison& comparison,
                                     const std::vector<Deviation>& known);

/// The table as it would have to read now; causes are kept, "?" where none is known yet.
std::string deviations_table(const Comparison& comparison, const std::vector<Deviation>& known);

}  // namespace gicsim::compare
