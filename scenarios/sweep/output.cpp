// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/sweep/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace gicsim::sweep {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

bool plain(const Amount& amount) {
  return amount.type == schema::Type::count || amount.type == schema::Type::size;
}

Record::Plain where_value(const std::string& text) {
  const auto known = amount(text);
  if (known && plain(*known)) return known->value;
  return text;
}

std::string failure_line(const Swept& swept, const Point& point) {
  Json where = Json::object();
  for (std::size_t i = 0; i < point.values.size(); ++i)
    std::visit([&](const auto& value) { where[swept.axes[i].key] = value; }, where_value(point.values[i]));
  return Json{{"schema", "gicsim.failure/1"},
              {"scenario", swept.scenario},
              {"where", where},
              {"status", point.status},
              {"exit_code", point.code},
              {"error", point.error}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Record* find(const Point& point, Quantity quantity) {
  for (const Record& record : point.results)
    if (record.quantity == quantity) return &record;
  return nullptr;
}

std::vector<Quantity> quantities(const Swept& swept) {
  std::set<Quantity> all;
  for (const Point& point : swept.points)
    for (const Record& record : point.results) all.insert(record.quantity);
  return {all.begin(), all.end()};
}

bool has_p99(const Swept& swept, Quantity quantity) {
  return std::any_of(swept.points.begin(), swept.points.end(), [&](const Point& point) {
    const Record* record = find(point, quantity);
    return record != nullptr && record->p99.has_value();
  });
}

/// In a column's name: ASCII letters, no slash.
std::string_view suffix(Quantity quantity) {
  const std::string_view unit = unit_of(quantity);
  return unit == "GB/s" ? "GB_s" : unit == "Mmsg/s" ? "Mmsg_s" : unit;
}

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == cell.npos) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

std::string row(const Cells& cells) {
  std::string text;
  for (const std::string& cell : cells) text += (text.empty() ? "" : ",") + quoted(cell);
  return text + "\r\n";
}

/// A fixed number of decimals, so that a column can be compared at a glance.
std::string figure(double value, Quantity quantity) {
  return unit_of(quantity) == "ns" ? fmt::format("{:.1f}", value) : fmt::format("{:.3f}", value);
}

Cells headings(const Swept& swept, const std::vector<Quantity>& headlines) {
  Cells cells;
  for (const Axis& axis : swept.axes) cells.push_back(axis.key);
  for (const Quantity quantity : headlines) {
    cells.push_back(fmt::format("{} [{}]", to_name(quantity), unit_of(quantity)));
    if (has_p99(swept, quantity)) cells.emplace_back("p99");
  }
  cells.emplace_back("");
  return cells;
}

Cells line(const Swept& swept, const Point& point, const std::vector<Quantity>& headlines) {
  Cells cells = point.values;
  for (const Quantity quantity : headlines) {
    const Record* record = quantity == point.headline ? find(point, quantity) : nullptr;
    cells.push_back(record ? figure(record->value, quantity) : "-");
    if (has_p99(swept, quantity)) cells.push_back(record && record->p99 ? figure(*record->p99, quantity) : "-");
  }
  cells.push_back(point.code == 0 && point.status == "done" ? "" : point.status);
  return cells;
}

/// Each reason once, with the first point that gave it.
std::string failures(const Swept& swept) {
  std::vector<std::pair<const Point*, std::size_t>> reasons;
  for (const Point& point : swept.points) {
    if (point.code == 0) continue;
    const auto same = [&](const auto& reason) { return reason.first->error == point.error; };
    const auto found = std::find_if(reasons.begin(), reasons.end(), same);
    if (found == reasons.end()) reasons.emplace_back(&point, 1);
    else ++found->second;
  }
  std::string text;
  for (const auto& [point, count] : reasons) {
    std::string where;
    for (std::size_t i = 0; i < point->values.size(); ++i)
      where += (i == 0 ? "" : ", ") + swept.axes[i].key + " " + point->values[i];
    text += fmt::format("  {}{}: {}\n", where, count == 1 ? "" : fmt::format(" and {} more", count - 1), point->error);
  }
  return text;
}

}  // namespace

std::string records(const Swept& swept) {
  std::string text;
  for (const Point& point : swept.points) {
    for (Record record : point.results) {
      for (std::size_t i = 0; i < point.values.size(); ++i) {
        const std::string& key = swept.axes[i].key;
        const auto known = [&](const auto& member) { return member.first == key; };
        if (std::none_of(record.where.begin(), record.where.end(), known))
          record.where.emplace_back(key, where_value(point.values[i]));
      }
      text += to_json_line(record) + "\n";
    }
    if (point.results.empty() || point.code != 0) text += failure_line(swept, point) + "\n";
  }
  return text;
}

std::string csv(const Swept& swept) {
  const std::vector<Quantity> all = quantities(swept);
  Cells names;
  for (const Axis& axis : swept.axes) names.push_back(axis.key);
  names.emplace_back("status");
  for (const Quantity quantity : all) {
    names.push_back(fmt::format("{}_{}", to_name(quantity), suffix(quantity)));
    if (has_p99(swept, quantity)) names.push_back(fmt::format("{}_p99_{}", to_name(quantity), suffix(quantity)));
  }
  names.emplace_back("error");
  std::string text = row(names);
  for (const Point& point : swept.points) {
    Cells cells;
    for (const std::string& value : point.values) {
      const auto known = amount(value);
      cells.push_back(known && plain(*known) ? std::to_string(known->value) : value);
    }
    cells.push_back(point.status);
    for (const Quantity quantity : all) {
      const Record* record = find(point, quantity);
      cells.push_back(record ? fmt::format("{}", record->value) : "");
      if (has_p99(swept, quantity)) cells.push_back(record && record->p99 ? fmt::format("{}", *record->p99) : "");
    }
    cells.push_back(point.error);
    text += row(cells);
  }
  return text;
}

std::string table(const Swept& swept) {
  std::set<Quantity> headlines;
  for (const Point& point : swept.points)
    if (!point.results.empty()) headlines.insert(point.headline);
  const std::vector<Quantity> columns(headlines.begin(), headlines.end());
  std::vector<Cells> lines{headings(swept, columns)};
  for (const Point& point : swept.points) lines.push_back(line(swept, point, columns));
  std::vector<std::size_t> widths(lines.front().size());
  for (const Cells& cells : lines)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  std::string text = fmt::format("sweep of {}: {} points\n\n", swept.scenario, swept.points.size());
  for (const Cells& cells : lines) {
    std::string one;
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) one += fmt::format("  {:>{}}", cells[i], widths[i]);
    if (!cells.back().empty()) one += "  " + cells.back();
    text += one + "\n";
  }
  const auto failed =
      std::count_if(swept.points.begin(), swept.points.end(), [](const Point& point) { return point.code != 0; });
  if (failed > 0) text += fmt::format("\n  {} of {} points failed:\n", failed, swept.points.size()) + failures(swept);
  if (!swept.notes.empty()) text += "\n";
  for (const std::string& note : swept.notes) text += "  note: " + note + "\n";
  return text;
}

}  // namespace gicsim::sweep
