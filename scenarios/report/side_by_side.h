// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/units/bytes.h"
#include "scenarios/report/finished.h"

/// One scenario on several submission paths.
namespace gicsim::report {

struct PathRun {
  Path path = Path::gpu_direct;
  std::optional<Finished> run;
  std::string why_not;  ///< of a path that can't express the scenario
  std::string note;     ///< what differs from the others beside the path
};

/// How two paths' headlines compare over sizes that are powers of two.
struct Crossover {
  /// Up to one size `before` is ahead, from another one on `after` is.
  struct Flip {
    Path before, after;
    Bytes up_to, from;
  };
  Path first, second;
  std::vector<Flip> flips;
  std::optional<Path> ahead;  ///< without flips: at all sizes; none: nowhere apart
  std::string why_not;        ///< not looked for
};

struct SideBySide {
  std::string version, scenario, about, system;
  Count seed = 1;
  Bytes smallest, largest;  ///< that crossovers were looked for between
  std::vector<PathRun> paths;
  std::vector<Crossover> crossovers;
  std::vector<std::string> warnings;
};

/// Share of one core's time that cores of node 0, where messages are posted, worked. Their polling isn't in it.
std::optional<double> cpu_share(const Finished& run);

std::string text(const SideBySide& table);
/// `gicsim.paths/1`
std::string json(const SideBySide& table);

}  // namespace gicsim::report
