// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "traces/result/record.h"
#include "validate/compare/compare.h"

/// What the model says of a machine before anybody has measured on it.
namespace gicsim::kit {

struct Point {
  std::string label;
  std::vector<Record> records;
  std::string why;  ///< no records: what keeps the system from it
};

/// The points of validate/kit/points.yaml on one system: each pattern that gicsim-hw measures.
/// @throws ConfigError for a system that can't be loaded
std::vector<Point> predict(const std::string& root, const std::string& system, const compare::Simulate& simulate);

/// Writes predictions.jsonl, fill (the command that runs gicsim-hw and prints both side by side) and README.md.
/// @throws HardwareError when the folder can't be written
void write(const std::vector<Point>& points, const std::string& system, const std::string& folder);

}  // namespace gicsim::kit
