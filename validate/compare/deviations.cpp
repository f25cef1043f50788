// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/compare/deviations.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "validate/compare/print.h"

namespace gicsim::compare {
namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t begin = 1; begin < line.size();) {
    const std::size_t end = std::min(line.find('|', begin), line.size());
    cells.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

bool heads(const std::vector<std::string>& cells) {
  return !cells.empty() &&
         (cells[0] == "Table" || cells[0].find_first_not_of("-: ") == std::string::npos);
}

const Deviation* find(const std::vector<Deviation>& known, const std::string& table,
                      const std::string& label) {
  for (const Deviation& one : known) {
    if (one.table == table && one.label == label) return &one;
  }
  return nullptr;
}

bool misses(const Table& table, const Row& row) {
  return table.use != Use::note && std::abs(row.error) > miss;
}

}  // namespace

std::vector<Deviation> load_deviations(const std::string& file) {
  std::vector<Deviation> known;
  std::vector<Mistake> mistakes;
  std::ifstream stream(file);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.empty() || line[0] != '|') continue;
    const auto cells = cells_of(line);
    if (heads(cells)) continue;
    const Location at{file, number, 1};
    if (cells.size() != 6) {
      mistakes.push_back(
          {at, "a deviation has six cells: table, figure, model, published, error, cause"});
      continue;
    }
    try {
      std::size_t read = 0;
      const double error = std::stod(cells[4], &read) / 100;
      if (trimmed(cells[4].substr(read)) != "%") throw std::invalid_argument("unit");
      known.push_back({cells[0], cells[1], error, cells[5], at});
    } catch (const std::exception&) {
      mistakes.push_back({at, "'" + cells[4] + "' is no error in %"});
    }
  }
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
  return known;
}

std::vector<std::string> strict_failures(const Comparison& comparison,
                                         const std::vector<Deviation>& known) {
  std::vector<std::string> failures;
  for (const Table& table : comparison.tables) {
    for (const Row& row : table.rows) {
      if (misses(table, row) && !find(known, table.id, row.label)) {
        failures.push_back(fmt::format("{}, {}: {} and not in DEVIATIONS.md", table.id, row.label,
                                       percent(row.error)));
      }
    }
    for (const Skipped& skipped : table.not_expressed) {
      if (skipped.failed)
        failures.push_back(fmt::format("{}, {}: {}", table.id, skipped.label, skipped.why));
    }
    if (table.tolerance && table.mape && *table.mape > *table.tolerance) {
      failures.push_back(fmt::format("{} ({}): MAPE {:.1f} %, {:.1f} % are allowed", table.id,
                                     to_name(table.use), *table.mape * 100,
                                     *table.tolerance * 100));
    }
  }
  return failures;
}

std::vector<std::string> stale_lines(const Comparison& comparison,
                                     const std::vector<Deviation>& known) {
  std::vector<std::string> stale;
  for (const Deviation& one : known) {
    bool compared = false;
    std::string wrong = "is no figure of a comparison any more";
    for (const Table& table : comparison.tables) {
      if (table.id != one.table) continue;
      compared = true;
      for (const Row& row : table.rows) {
        if (row.label != one.label) continue;
        if (!misses(table, row))
          wrong = fmt::format("no miss any more ({}): take the line out", percent(row.error));
        else if (std::abs(row.error - one.error) > drift + 1e-9)
          wrong = fmt::format("moved from {} to {}", percent(one.error), percent(row.error));
        else if (one.cause.empty() || one.cause == "?")
          wrong = "says no cause";
        else
          wrong.clear();
      }
    }
    if (compared && !wrong.empty())
      stale.push_back(fmt::format("{}: {}: {}", to_text(one.at), one.label, wrong));
  }
  return stale;
}

std::string deviations_table(const Comparison& comparison, const std::vector<Deviation>& known) {
  std::string text =
      "| Table | Figure | Model | Published | Error | Likely cause |\n|---|---|---|---|---|---|\n";
  for (const Table& table : comparison.tables) {
    for (const Row& row : table.rows) {
      if (!misses(table, row)) continue;
      const Deviation* old = find(known, table.id, row.label);
      text += fmt::format("| {} | {} | {} {} | {} {} | {} | {} |\n", table.id, row.label,
                          figure(row.model), row.unit, figure(row.reference), row.unit,
                          percent(row.error), old && !old->cause.empty() ? old->cause : "?");
    }
  }
  return text;
}

}  // namespace gicsim::compare
