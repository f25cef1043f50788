// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/format.h"
#include "traces/import/detail/json.h"
#include "traces/import/detail/nccl_run.h"

/// nccl-tests -J FILE: one object with args, config and results.
namespace gicsim::imports::detail {
namespace {

std::string_view text_of(const text::Node& map, std::string_view key) {
  const text::Member* member = map.find(key);
  return member == nullptr ? std::string_view() : trimmed(member->value.value);
}

std::optional<double> figure_of(const text::Node& map, std::string_view key, Found& found) {
  const text::Member* member = map.find(key);
  return member == nullptr ? std::nullopt : found.figure(member->at.line, cell_of(member->value), key);
}

NcclRun run_of(const text::Node& root) {
  NcclRun run;
  if (const text::Member* args = root.find("args"))
    for (const text::Node& arg : args->value.items)
      if (!run.collective) run.collective = nccl_collective(arg.value);
  if (const text::Member* config = root.find("config")) {
    run.iterations = whole(text_of(config->value, "iterations")).value_or(0);
    if (const text::Member* devices = config->value.find("devices"))
      run.ranks = static_cast<std::int64_t>(devices->value.items.size());
  }
  if (const std::string_view nccl = text_of(root, "nccl_version"); !nccl.empty())
    run.version = fmt::format("JSON with NCCL {}", nccl);
  return run;
}

NcclHalf half_of(const text::Node& result, std::string_view key, Found& found) {
  NcclHalf half;
  const text::Node& figures = result.find(key)->value;
  half.time_us = figure_of(figures, figures.find("time") != nullptr ? "time" : "cpu_time", found);
  half.algbw = figure_of(figures, "alg_bw", found);
  half.busbw = figure_of(figures, "bus_bw", found);
  const std::string_view wrong = text_of(figures, "nwrong");
  half.wrong = decimal(wrong).value_or(0) != 0;
  if (!decimal(wrong)) found.leave(figures.at.line, "nwrong null: the result wasn't checked, its figures are taken");
  if (const text::Member* each = result.find(std::string(key) + "_per_iter")) {
    half.min_us = figure_of(each->value, "min_us", found);
    half.max_us = figure_of(each->value, "max_us", found);
    half.p50_us = figure_of(each->value, "p50_us", found);
    half.p99_us = figure_of(each->value, "p99_us", found);
    found.leave(each->at.line,
                "per iteration: average, p95, deviation and single times; a record has no place for them");
  }
  return half;
}

bool detect(std::string_view head) {
  return is_json(head) && (has(head, "nccl_version") || has(head, "alg_bw")) && has(head, "\"args\"");
}

void read(Input& in, Found& found) {
  const text::Node root = parse_json(in);
  const text::Member* results = root.find("results");
  if (results == nullptr) throw ConfigError(root.at, "'results' is missing: the test didn't get as far");
  NcclRun run = run_of(root);
  for (const text::Node& result : results->value.items) {
    const int line = result.at.line;
    const text::Member* size = result.find("size");
    if (size == nullptr) {
      found.mistake(line, result.at.column, "a result without 'size'; give the whole file");
      continue;
    }
    const auto bytes = found.count(line, cell_of(size->value), "size");
    if (!run.knows(line, found) || !bytes) return;
    const NcclRun::Row row{*bytes, std::string(text_of(result, "type")), std::string(text_of(result, "redop")),
                           std::string(text_of(result, "root"))};
    for (const std::string_view key : {"out_of_place", "in_place"}) {
      const text::Member* half = result.find(key);
      if (half == nullptr || half->value.kind != text::Node::Kind::map)
        found.leave(line, fmt::format("{}: not measured", key));
      else
        run.give(line, row, half_of(result, key, found), key == "in_place", found);
    }
  }
}

}  // namespace

const Format nccl_tests_json{"nccl-tests JSON", detect, read};

}  // namespace gicsim::imports::detail
