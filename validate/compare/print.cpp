// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/compare/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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

std::string print(const Reasons& reasons, const std::string& indent) {
  std::string text;
  for (const auto& [why, labels] : reasons) {
    text += fmt::format("{}{}\n", indent, why);
    std::string line;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::string word = labels[i] + (i + 1 < labels.size() ? "," : "");
      if (!line.empty() && line.size() + word.size() > 92) {
        text += fmt::format("{}  {}\n", indent, line);
        line.clear();
      }
      line += (line.empty() ? "" : " ") + word;
    }
    text += fmt::format("{}  {}\n", indent, line);
  }
  return text;
}

std::string print(const Table& table) {
  std::string text = fmt::format("\n{} ({})  {}\n", table.id, to_name(table.use), table.title);
  std::size_t width = 6;
  for (const Row& row : table.rows) width = std::max(width, row.label.size());
  if (!table.rows.empty()) {
    text += fmt::format("  {:<{}}  {:<15} {:>9} {:>9}  {:<7} {:>8}\n", "figure", width, "quantity",
                        "model", "published", "unit", "error");
  }
  for (const Row& row : table.rows) {
    text +=
        fmt::format("  {:<{}}  {:<15} {:>9} {:>9}  {:<7} {:>8}\n", row.label, width, row.quantity,
                    figure(row.model), figure(row.reference), row.unit, percent(row.error));
  }
  Reasons reasons;
  for (const Skipped& skipped : table.not_expressed) {
    add(reasons, (skipped.failed ? "no figure: " : "not expressed: ") + skipped.why, skipped.label);
  }
  return text + print(reasons, "  ");
}

std::string summary(const Comparison& comparison) {
  std::string text = "\nsummary\n";
  for (const Table& table : comparison.tables) {
    if (!table.mape) continue;
    const auto worst = std::max_element(
        table.rows.begin(), table.rows.end(),
        [](const Row& a, const Row& b) { return std::abs(a.error) < std::abs(b.error); });
    text += fmt::format("  {:<28} {:<5} n {:>3}  MAPE {:>6.1f} %  worst {:>8}  {}\n", table.id,
                        to_name(table.use), table.rows.size(), *table.mape * 100,
                        percent(worst->error), worst->label);
  }
  return text;
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
  std::string text =
      fmt::format("{} published figures against {} runs; error = model / published - 1\n", figures,
                  comparison.runs);
  for (const Table& table : comparison.tables) {
    if (table.mapped) text += print(table);
  }
  if (!none.empty()) text += "\nno map yet\n" + print(none, "  ");
  return text + summary(comparison);
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
