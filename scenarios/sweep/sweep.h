// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenarios/report/finished.h"
#include "scenarios/schema/load.h"
#include "scenarios/sweep/axis.h"

namespace gicsim::sweep {

struct Request {
  std::string scenario;  ///< a name or a file
  std::vector<schema::Override> set;
  std::vector<Axis> axes;
  std::string root;  ///< that holds scenarios/ and configs/
  int jobs = 1;
};

/// One combination, and what came of it.
struct Point {
  std::vector<std::string> values;  ///< one an axis
  int code = 0;                     ///< exit code, had it been a run by itself
  std::string status;               ///< done, stuck, ...; "error" when it came to no end
  Quantity headline = Quantity::put_completion;
  std::vector<Record> results;
  std::string error{};              ///< why there are none, or why it is no success; one line
};

struct Swept {
  std::string scenario;  ///< its name
  std::vector<Axis> axes;
  std::vector<Point> points;  ///< the last axis turns fastest
  std::vector<std::string> notes;  ///< axes that change nothing
};

/// Builds a scenario's machine and runs it to its end.
using Simulate = std::function<report::Finished(const schema::Scenario&)>;
/// Told after each point how many have ended, and how many of these failed.
using Progress = std::function<void(std::size_t ended, std::size_t failed, std::size_t of)>;

/// What was set, then an axis' value each.
std::vector<schema::Override> overrides(const Request& request, const std::vector<std::string>& values);

/// Runs all points, each in a process of its own. What comes of it doesn't depend on `jobs`.
/// @throws ConfigError  for an axis that can't be read, or when no point can be expressed
Swept run(const Request& request, const Simulate& simulate, const Progress& progress);

/// What `gicsim sweep` ends with: 0, or the worst that a point came to. A point that can't be expressed counts as 1.
int exit_code(const Swept& swept);

}  // namespace gicsim::sweep
