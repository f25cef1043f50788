// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/report/side_by_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "models/units/text.h"
#include "scenarios/report/detail/format.h"
#include "scenarios/report/sums.h"

namespace gicsim::report {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::array<std::string, 5>;

std::string figure(const Record* record) {
  return record ? detail::figure_text(record->p50.value_or(record->value), unit_of(record->quantity)) : "-";
}

std::string binds(const Finished& run) {
  if (run.status != Status::done) return std::string(to_name(run.status));
  return run.bound_by ? fmt::format("{}, {}", run.bound_by->resource, detail::percent(run.bound_by->share)) : "-";
}

Cells cells(const PathRun& path) {
  const Finished& run = *path.run;
  const auto share = cpu_share(run);
  return {std::string(to_name(path.path)), figure(answer(run)), figure(find(run, Quantity::issue)),
          share ? detail::percent(*share) : "-", binds(run)};
}

std::string line(const Cells& cells, const std::array<std::size_t, 5>& widths) {
  return fmt::format("  {:<{}}  {:>{}}  {:>{}}  {:>{}}  {}\n", cells[0], widths[0], cells[1], widths[1], cells[2],
                     widths[2], cells[3], widths[3], cells[4]);
}

std::string between(const SideBySide& table) {
  return "between " + text::write(table.smallest) + " and " + text::write(table.largest);
}

std::string sentence(const SideBySide& table, const Crossover& crossover) {
  std::string out = fmt::format("  {} and {}: ", to_name(crossover.first), to_name(crossover.second));
  if (!crossover.why_not.empty()) return out + crossover.why_not;
  if (crossover.flips.empty())
    return out + "none " + between(table) +
           (crossover.ahead ? fmt::format(", {} is ahead", to_name(*crossover.ahead)) : ", they are equal");
  Bytes from;
  for (const Crossover::Flip& flip : crossover.flips) {
    out += from == Bytes() ? fmt::format("{} is ahead up to {}", to_name(flip.before), text::write(flip.up_to))
                           : fmt::format(", {} from {} to {}", to_name(flip.before), text::write(from),
                                         text::write(flip.up_to));
    from = flip.from;
  }
  return out + fmt::format(", {} from {} on", to_name(crossover.flips.back().after), text::write(from));
}

const Finished* first_run(const SideBySide& table) {
  for (const PathRun& path : table.paths)
    if (path.run) return &*path.run;
  return nullptr;
}

Json row(const PathRun& path) {
  const Finished& run = *path.run;
  const auto share = cpu_share(run);
  Json results = Json::array();
  for (const Record& record : run.results) results.push_back(Json::parse(to_json_line(record)));
  Json bound = nullptr;
  if (run.bound_by) bound = {{"resource", run.bound_by->resource}, {"share", run.bound_by->share}};
  return {{"path", to_name(path.path)},
          {"status", to_name(run.status)},
          {"cpu_share", share ? Json(*share) : Json(nullptr)},
          {"bound_by", bound},
          {"note", path.note.empty() ? Json(nullptr) : Json(path.note)},
          {"results", results}};
}

Json entry(const Crossover& crossover) {
  Json flips = Json::array();
  for (const Crossover::Flip& flip : crossover.flips)
    flips.push_back({{"before", to_name(flip.before)},
                     {"up_to_bytes", flip.up_to.count()},
                     {"after", to_name(flip.after)},
                     {"from_bytes", flip.from.count()}});
  return {{"paths", {to_name(crossover.first), to_name(crossover.second)}},
          {"flips", flips},
          {"ahead", crossover.ahead ? Json(to_name(*crossover.ahead)) : Json(nullptr)},
          {"why_not", crossover.why_not.empty() ? Json(nullptr) : Json(crossover.why_not)}};
}

}  // namespace

std::optional<double> cpu_share(const Finished& run) {
  if (run.elapsed <= Picoseconds{}) return std::nullopt;
  std::int64_t busy = 0;
  for (const Counter& counter : run.counters)
    if (counter.module == "node0.host" && counter.name == "core_busy") busy += counter.value;
  return static_cast<double>(busy) / static_cast<double>(run.elapsed.count());
}

std::string text(const SideBySide& table) {
  const Finished* any = first_run(table);
  const std::string headline = any ? detail::words(answer(*any) ? answer(*any)->quantity : any->headline) : "headline";
  std::vector<Cells> lines{{"path", headline, "issue", "CPU work", "what binds"}};
  for (const PathRun& path : table.paths)
    if (path.run) lines.push_back(cells(path));
  std::array<std::size_t, 5> widths{};
  for (const Cells& cells : lines)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  std::string out = detail::wrapped(fmt::format("{} on {}, path by path{}", table.scenario, table.system,
                                                table.about.empty() ? "" : ": " + table.about), 2) + "\n";
  for (const Cells& cells : lines) out += line(cells, widths);
  out += "\n  CPU work: time that cores of the posting node work, as a share of one core; a proxy polls in between.\n";
  for (const PathRun& path : table.paths) {
    if (!path.run) out += detail::wrapped(fmt::format("  not {}: {}", to_name(path.path), path.why_not), 6);
    else if (!path.note.empty()) out += detail::wrapped(fmt::format("  {}: {}", to_name(path.path), path.note), 6);
  }
  for (const std::string& warning : table.warnings) out += detail::wrapped("  warning: " + warning, 11);
  if (!table.crossovers.empty()) out += detail::heading("Crossovers of " + headline + " over the size");
  for (const Crossover& crossover : table.crossovers) out += detail::wrapped(sentence(table, crossover), 4);
  return out + fmt::format("\nseed {}, gicsim {}\n", table.seed, table.version);
}

std::string json(const SideBySide& table) {
  Json rows = Json::array(), others = Json::array(), crossovers = Json::array();
  for (const PathRun& path : table.paths) {
    if (path.run) rows.push_back(row(path));
    else others.push_back({{"path", to_name(path.path)}, {"why", path.why_not}});
  }
  for (const Crossover& crossover : table.crossovers) crossovers.push_back(entry(crossover));
  const Finished* any = first_run(table);
  const Json made = {{"schema", "gicsim.paths/1"},
                     {"version", table.version},
                     {"scenario", table.scenario},
                     {"system", table.system},
                     {"seed", table.seed},
                     {"headline", any ? Json(to_name(any->headline)) : Json(nullptr)},
                     {"rows", rows},
                     {"not_expressed", others},
                     {"smallest_bytes", table.smallest.count()},
                     {"largest_bytes", table.largest.count()},
                     {"crossovers", crossovers},
                     {"warnings", table.warnings}};
  return made.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gicsim::report
