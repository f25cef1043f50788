// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/report/finished.h"
#include "validate/compare/compare.h"

/// How far the model has been found to be from hardware, for the kind of figure at hand.
namespace gicsim::evidence {

/// The compared figures of one table that share system, pattern, path and use.
struct Entry {
  std::string system, pattern, path, table, use;
  Count n = 0;
  double mape = 0, worst = 0;  ///< fractions; `worst` with its sign
};

/// In order of the tables. Figures of use `note` are left out.
std::vector<Entry> gather(const compare::Comparison& comparison);

/// evidence.yaml, as `gicsim compare --evidence` writes it.
std::string to_yaml(const std::vector<Entry>& entries);
/// @throws ConfigError with everything that is wrong with the file
std::vector<Entry> load(const std::string& file);

/// Entries that are there on one side alone, or whose n, MAPE or worst differ by more than rounding
/// (0.2 percentage points): the file wants to be written anew.
std::vector<std::string> differences(const std::vector<Entry>& file, const std::vector<Entry>& now);

/// What a report says: a line per entry of this system, pattern and path, or that there is none.
/// "put by gpu_direct on h200_cx7_ib, paper2610_t3_latency (fit): n 14, MAPE 1.2 %, worst +4.0 %"
std::vector<std::string> lines_for(const report::Finished& finished,
                                   const std::vector<Entry>& entries);

}  // namespace gicsim::evidence
