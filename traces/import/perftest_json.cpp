// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/format.h"
#include "traces/import/detail/json.h"
#include "traces/import/detail/perftest_run.h"

/// perftest --out_json, one object. Before 2024 it had no quotes round names and words, and a comma behind the last
/// member; YAML reads both.
namespace gicsim::imports::detail {
namespace {

using Column = PerftestRun::Column;

Column column_of(std::string_view key) {
  static constexpr std::pair<std::string_view, Column> known[] = {{"MsgSize", Column::bytes},
                                                                  {"n_iterations", Column::iterations},
                                                                  {"t_min", Column::min},
                                                                  {"t_max", Column::max},
                                                                  {"t_typical", Column::typical},
                                                                  {"t_avg", Column::average},
                                                                  {"percentile_99", Column::p99},
                                                                  {"BW_peak", Column::peak},
                                                                  {"BW_average", Column::bandwidth},
                                                                  {"MsgRate", Column::rate}};
  for (const auto& [name, column] : known)
    if (key == name) return column;
  return Column::unused;
}

void read_results(const text::Node& results, Found& found, PerftestRun& run) {
  PerftestRun::Row row;
  bool typical = false;
  for (const text::Member& member : results.members) typical = typical || member.key == "t_typical";
  for (const text::Member& member : results.members) {
    const Column column = column_of(member.key);
    row.emplace_back(column, cell_of(member.value));
    if (column == Column::unused || (column == Column::average && typical))
      found.leave(member.at.line, fmt::format("{}: a record has no place for it", member.key));
  }
  run.row(results.at.line, row, {});
}

bool detect(std::string_view head) { return is_json(head) && has(head, "test_info") && has(head, "MsgSize"); }

void read(Input& in, Found& found) {
  const text::Node root = parse_json(in);
  PerftestRun run(found);
  const text::Member* info = root.find("test_info");
  if (info == nullptr || info->value.find("test") == nullptr)
    throw ConfigError(root.at, "'test_info' with 'test' in it is missing; give the whole file");
  run.title(info->value.find("test")->value.value);
  for (const text::Member& fact : info->value.members) {
    std::string name = fact.key;
    for (char& c : name)
      if (c == '_') c = ' ';
    run.fact(trimmed(name), fact.value.value);
    if (has(name, "memory") && (has(name, "CUDA") || has(name, "ROCm")) && fact.value.value == "ON") run.gpu_buffer();
  }
  bool any = false;
  for (const std::string_view key : {"results", "results_local", "results_remote"}) {
    const text::Member* results = root.find(key);
    if (results == nullptr) continue;
    any = true;
    if (key == "results_remote")
      found.leave(results->at.line, "results_remote: what the far side saw of the same run");
    else
      read_results(results->value, found, run);
  }
  if (!any) throw ConfigError(root.at, "'results' is missing; give the whole file");
}

}  // namespace

const Format perftest_json{"perftest JSON", detect, read};

}  // namespace gicsim::imports::detail
