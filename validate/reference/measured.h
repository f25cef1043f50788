// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "traces/result/record.h"
#include "validate/reference/dataset.h"
#include "validate/reference/request.h"

/// Records of the hardware back-end as figures to be held against: no map is needed, as `where` holds scenario keys.
namespace gicsim::reference {

/// One measured figure. Of several runs: the median of their values, and the range of all their repeats' medians.
struct MeasuredRow {
  std::string label;   ///< "fence stores=1 memory=host ...: latency"
  Quantity quantity = Quantity::latency;
  double value = 0, low = 0, high = 0;  ///< in the quantity's unit
  std::int64_t runs = 0;
  Use use = Use::check;
  ScenarioRequest run;
  std::string why;     ///< not empty: why no scenario expresses it
};

/// All figures of one pattern on one machine.
struct MeasuredTable {
  std::string id, title;  ///< "h200_host.fence"
  std::string system;
  std::vector<MeasuredRow> rows;
};

/// Reads validate/reference/measured/NAME.yaml, which names the records, says which rows are for fitting and which for
/// checking, and which no scenario expresses:
///
///     system: h200_host
///     name: ...                                 in tables' ids; left out: the system's
///     about: ...
///     records: [h200_host/first.jsonl, ...]     beside the file
///     ignored: [mapping]                        keys that the model doesn't know, as they change nothing in it
///     renamed: {operation: atomic}              keys that have another name in a scenario
///     given: [{keys: {iterations: 20}, pattern: fence}, ...]    keys that each run of such a row gets as well
///     use: [{use: fit, pattern: fence, stores: 0}, ...]    the first that agrees; else check
///     not_expressed: [{why: ..., memory: peer}, ...]       likewise
///
/// @throws ConfigError with everything that is wrong with it; MalformedRecord of a records file
std::vector<MeasuredTable> load_measured(const std::string& file);

/// All files of a folder, in order of their names.
std::vector<MeasuredTable> load_all_measured(const std::string& folder);

/// Somebody's own records, all of use check. @param system  overrides the records' own; empty: theirs
std::vector<MeasuredTable> from_records(const std::vector<std::string>& files, const std::string& system);

}  // namespace gicsim::reference
