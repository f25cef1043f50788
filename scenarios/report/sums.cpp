// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/sums.h"

#include <fmt/format.h>

#include <cmath>

namespace gicsim::report {

const Record* find(const Finished& run, Quantity quantity) {
  for (const Record& record : run.results)
    if (record.quantity == quantity) return &record;
  return nullptr;
}

std::optional<Pattern> pattern_of(const Finished& run) {
  if (run.results.empty()) return std::nullopt;
  return run.results.front().pattern;
}

const Record* answer(const Finished& run) { return find(run, run.headline); }

std::optional<Picoseconds> figure_explained(const Finished& run) {
  const Record* record = find(run, run.headline);
  if (record == nullptr || is_stream(record->pattern) || unit_of(run.headline) != "ns")
    return std::nullopt;
  return Picoseconds{std::llround(record->p50.value_or(record->value) * 1000)};
}

std::vector<std::string> imbalances(const Finished& run) {
  std::vector<std::string> wrong;
  const auto check_rows = [&wrong](const char* of, const Rows& rows) {
    for (const Row& row : rows) {
      Picoseconds hops{};
      for (const Hop& hop : row.hops) hops += hop.time;
      if (!row.hops.empty() && hops != row.time)
        wrong.push_back(fmt::format("{}: the hops of {}.{} add up to {} ps, the stage is {} ps", of,
                                    row.layer, row.stage, hops.count(), row.time.count()));
      if (row.time.count() < 0 || row.waiting.count() < 0 || row.waiting > row.time)
        wrong.push_back(fmt::format("{}: {}.{} waits {} ps of {} ps", of, row.layer, row.stage,
                                    row.waiting.count(), row.time.count()));
    }
  };
  check_rows("ledger", run.ledger);
  check_rows("delivery", run.delivery_path);
  check_rows("completion", run.completion_path);
  if (const auto figure = figure_explained(run); figure && !run.ledger.empty())
    if (const Picoseconds sum = total(run.ledger); sum != *figure)
      wrong.push_back(fmt::format("the rows add up to {} ps, {} is {} ps: off by {} ps",
                                  sum.count(), to_name(run.headline), figure->count(),
                                  (sum - *figure).count()));
  return wrong;
}

double jain(const std::vector<FlowShare>& flows) {
  double sum = 0, squares = 0;
  for (const FlowShare& flow : flows) sum += flow.bandwidth, squares += flow.bandwidth * flow.bandwidth;
  return squares > 0 ? sum * sum / (static_cast<double>(flows.size()) * squares) : 1;
}

}  // namespace gicsim::report
