// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/compare/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "validate/compare/deviations.h"

namespace gicsim::compare {
namespace {

/// Reasons in order of appearance, each with its labels.
using Reasons = std::vector<std::pair<std::string, std::vector<std::string>>>;

void add(Reasons& reasons, const std::string& why, const std::string& label) {
  for (auto& [known, labels] : reasons) {
    if (known != why) continue;
    if (labels.back() != label) labels.push_back(label);
    return;
  }
  reasons.push_back({why, {label}});
}

constexpr std::size_t columns = 118;  ///< of a terminal
constexpr std::size_t widest =
    54;  ///< first column of a table; what is longer takes a line of its own

/// A label "row: column", or one without rows.
struct Name {
  std::string row, column;
  explicit Name(const std::string& label) {
    const auto cut = label.rfind(": ");
    if (cut != std::string::npos) row = label.substr(0, cut);
    column = cut == std::string::npos ? label : label.substr(cut + 2);
  }
};

void add_once(std::vector<std::string>& list, const std::string& word) {
  if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
}

/// "p99_cold, p99_warm of: IBRC, GIN Proxy" where the labels are all columns of all rows; else as
/// they are.
std::vector<std::string> folded(const std::vector<std::string>& labels) {
  std::vector<std::string> rows, cells;
  for (const std::string& label : labels) {
    add_once(rows, Name(label).row);
    add_once(cells, Name(label).column);
  }
  if (rows.size() * cells.size() != labels.size() || rows.front().empty()) return labels;
  cells.back() += " of:";
  cells.insert(cells.end(), rows.begin(), rows.end());
  return cells;
}

std::string print(const Reasons& reasons, const std::string& indent) {
  std::string text;
  for (const auto& [why, labels] : reasons) {
    text += fmt::format("{}{}\n", indent, why);
    std::string line;
    const auto words = folded(labels);
    const bool commas = std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word.find(',') != std::string::npos;
    });
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool more = i + 1 < words.size() && !words[i].ends_with(" of:");
      const std::string word = words[i] + (more ? commas ? ";" : "," : "");
      if (!line.empty() && indent.size() + line.size() + word.size() + 3 > columns) {
        text += fmt::format("{}  {}\n", indent, line);
        line.clear();
      }
      line += (line.empty() ? "" : " ") + word;
    }
    text += fmt::format("{}  {}\n", indent, line);
  }
  return text;
}

/// What tells the figures of one row of the table apart: their quantity where that does, else the
/// column.
std::string item(const std::vector<const Row*>& rows, const Row& row) {
  const Name name(row.label);
  if (name.row.empty()) return row.quantity;
  const auto same = std::count_if(rows.begin(), rows.end(), [&](const Row* other) {
    return Name(other->label).row == name.row && other->quantity == row.quantity;
  });
  return same > 1 ? name.column : row.quantity;
}

std::string cut(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 2) + "..";
}

/// "283.5 - 310": the repeats' medians of a measured figure.
std::string spread(const Row& row) {
  return row.spread ? "  " + figure(row.spread->first) + " - " + figure(row.spread->second) : "";
}

std::string print(const std::string& system, const std::vector<const Row*>& rows) {
  std::size_t width = system.size();
  for (const Row* row : rows) {
    const Name name(row->label);
    width = std::max(width, std::min(widest, (name.row.empty() ? name.column : name.row).size()));
  }
  std::string text = fmt::format("  on {:<{}}  {:<15} {:>9} {:>9}  {:<7} {:>8}{}\n", system,
                                 width - 1, "quantity", "model", rows.front()->spread ? "measured" : "published", "unit",
                                 "error", rows.front()->spread ? "    measured from - to" : "");
  std::string last;
  for (const Row* row : rows) {
    const Name name(row->label);
    std::string first = name.row.empty() ? name.column : name.row;
    if (first == last)
      first.clear();
    else
      last = first;
    if (first.size() > width) {
      text += "    " + first + "\n";
      first.clear();
    }
    text += fmt::format("    {:<{}}  {:<15} {:>9} {:>9}  {:<7} {:>8}{}{}\n", first, width,
                        item(rows, *row), figure(row->model), figure(row->reference), row->unit,
                        percent(row->error), std::abs(row->error) > miss ? " *" : row->spread ? "  " : "",
                        spread(*row));
  }
  return text;
}

std::string print(const Table& table) {
  std::string text =
      "\n" + cut(fmt::format("{}, {}: {}", table.id, to_name(table.use), table.title), columns) +
      "\n";
  std::vector<std::string> systems;
  for (const Row& row : table.rows) add_once(systems, row.run.key("system"));
  for (const std::string& system : systems) {
    std::vector<const Row*> rows;
    for (const Row& row : table.rows)
      if (row.run.key("system") == system) rows.push_back(&row);
    text += print(system, rows);
  }
  Reasons reasons;
  for (const Skipped& skipped : table.not_expressed) {
    add(reasons, (skipped.failed ? "no figure: " : "not expressed: ") + skipped.why, skipped.label);
  }
  return text + print(reasons, "  ");
}

std::string summary(const Comparison& comparison, Use use) {
  std::string text;
  std::size_t n = 0, misses = 0, skipped = 0;
  double sum = 0;
  for (const Table& table : comparison.tables) {
    if (table.use != use || !table.mapped) continue;
    skipped += table.not_expressed.size();
    if (!table.mape) continue;
    for (const Row& row : table.rows) {
      ++n;
      sum += std::abs(row.error);
      if (std::abs(row.error) > miss) ++misses;
    }
    const auto worst = std::max_element(
        table.rows.begin(), table.rows.end(),
        [](const Row& a, const Row& b) { return std::abs(a.error) < std::abs(b.error); });
    text += fmt::format("    {:<26} n {:>3}  MAPE {:>5.1f} %  worst {:>8}  {}\n", table.id,
                        table.rows.size(), *table.mape * 100, percent(worst->error),
                        cut(worst->label, 50));
  }
  if (n == 0 && skipped == 0) return "";
  text += fmt::format("    {:<26} n {:>3}", "all", n);
  if (n > 0) text += fmt::format("  MAPE {:>5.1f} %", sum / static_cast<double>(n) * 100);
  return fmt::format("  {}\n{}  {} beyond 10 %; {} more not expressed\n", to_name(use), text,
                     misses, skipped);
}

}  // namespace

std::string percent(double fraction) { return fmt::format("{:+.1f} %", fraction * 100); }

std::string figure(double value) {
  return std::abs(value) >= 1e4 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string to_text(const Comparison& comparison) {
  std::size_t figures = 0;
  Reasons none;
  for (const Table& table : comparison.tables) {
    figures += table.rows.size();
    if (!table.mapped) add(none, table.not_expressed.front().why, table.id);
  }
  std::string text = fmt::format(
      "{} published figures against {} runs; error = model / published - 1; * beyond 10 %, see "
      "DEVIATIONS.md\n",
      figures, comparison.runs);
  for (const Table& table : comparison.tables) {
    if (table.mapped) text += print(table);
  }
  if (!none.empty()) text += "\nno map yet\n" + print(none, "  ");
  text +=
      "\nsummary (fit: parameters were adjusted on these figures; check: predictions, never tuned "
      "to them)\n";
  for (const Use use : {Use::fit, Use::check, Use::note}) text += summary(comparison, use);
  return text;
}

std::string to_json(const Comparison& comparison) {
  using Json = nlohmann::ordered_json;
  Json tables = Json::array();
  for (const Table& table : comparison.tables) {
    Json rows = Json::array();
    for (const Row& row : table.rows) {
      rows.push_back({{"label", row.label},
                      {"quantity", row.quantity},
                      {"unit", row.unit},
                      {"model", row.model},
                      {"reference", row.reference},
                      {"error", row.error}});
      if (row.spread) rows.back()["spread"] = {row.spread->first, row.spread->second};
    }
    Json skipped = Json::array();
    for (const Skipped& one : table.not_expressed)
      skipped.push_back({{"label", one.label}, {"why", one.why}});
    Json entry = {
        {"id", table.id}, {"use", to_name(table.use)}, {"rows", rows}, {"not_expressed", skipped}};
    entry["mape"] = table.mape ? Json(*table.mape) : Json(nullptr);
    tables.push_back(std::move(entry));
  }
  return Json{{"schema", "gicsim.compare/1"}, {"tables", tables}}.dump(2) + "\n";
}

}  // namespace gicsim::compare
