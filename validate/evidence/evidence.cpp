// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/evidence/evidence.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "traces/text/node.h"

namespace gicsim::evidence {
namespace {

constexpr double rounding = 0.002;

std::string name_of(const Entry& entry) {
  return fmt::format("{} by {} on {}, {} ({})", entry.pattern, entry.path, entry.system,
                     entry.table, entry.use);
}

const Entry* find(const std::vector<Entry>& entries, const Entry& like) {
  for (const Entry& entry : entries) {
    if (name_of(entry) == name_of(like)) return &entry;
  }
  return nullptr;
}

/// "1.2 %" as a fraction, or a bare number.
std::optional<double> number(std::string text) {
  const bool percent = text.ends_with(" %");
  if (percent) text.resize(text.size() - 2);
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return percent ? value / 100 : value;
}

Entry read(const text::Node& node, std::vector<Mistake>& mistakes) {
  Entry entry;
  const auto value_of = [&](const char* key) {
    const text::Member* member = node.find(key);
    if (!member) mistakes.push_back({node.at, fmt::format("has no {}", key)});
    return member ? member->value.value : std::string();
  };
  for (const auto& [key, into] :
       {std::pair{"system", &entry.system}, std::pair{"pattern", &entry.pattern},
        std::pair{"path", &entry.path}, std::pair{"table", &entry.table},
        std::pair{"use", &entry.use}}) {
    *into = value_of(key);
  }
  double n = 0;
  for (const auto& [key, into] :
       {std::pair{"n", &n}, std::pair{"mape", &entry.mape}, std::pair{"worst", &entry.worst}}) {
    const std::string text = value_of(key);
    if (const auto read = number(text))
      *into = *read;
    else if (!text.empty())
      mistakes.push_back({node.at, fmt::format("{}: '{}' is no number", key, text)});
  }
  entry.n = static_cast<Count>(n);
  return entry;
}

}  // namespace

std::vector<Entry> gather(const compare::Comparison& comparison) {
  std::vector<Entry> entries;
  for (const auto& table : comparison.tables) {
    if (table.use == compare::Use::note) continue;
    for (const auto& row : table.rows) {
      const Entry like{row.run.key("system"), row.run.key("pattern"), row.run.key("path"), table.id,
                       std::string(to_name(table.use))};
      const Entry* known = find(entries, like);
      Entry& entry = known ? entries[static_cast<std::size_t>(known - entries.data())]
                           : entries.emplace_back(like);
      ++entry.n;
      entry.mape += (std::abs(row.error) - entry.mape) / static_cast<double>(entry.n);
      if (std::abs(row.error) > std::abs(entry.worst)) entry.worst = row.error;
    }
  }
  return entries;
}

std::string to_yaml(const std::vector<Entry>& entries) {
  std::string text =
      "# SPDX-FileCopyrightText: 2026 The gicsim authors\n# SPDX-License-Identifier: Apache-2.0\n\n"
      "# Written by `gicsim compare --evidence`: how far the models were from published figures, "
      "by kind.\n"
      "entries:\n";
  for (const Entry& entry : entries) {
    text += fmt::format(
        "- {{system: {}, pattern: {}, path: {}, table: {}, use: {}, n: {}, mape: {:.1f} %, worst: "
        "{:+.1f} %}}\n",
        entry.system, entry.pattern, entry.path, entry.table, entry.use, entry.n, entry.mape * 100,
        entry.worst * 100);
  }
  return text;
}

std::vector<Entry> load(const std::string& file) {
  const text::Node root = text::load(file);
  std::vector<Mistake> mistakes;
  std::vector<Entry> entries;
  if (const text::Member* list = root.find("entries")) {
    for (const text::Node& node : list->value.items) entries.push_back(read(node, mistakes));
  } else {
    mistakes.push_back({{file}, "has no 'entries'"});
  }
  if (!mistakes.empty()) throw ConfigError(std::move(mistakes));
  return entries;
}

std::vector<std::string> differences(const std::vector<Entry>& file,
                                     const std::vector<Entry>& now) {
  std::vector<std::string> lines;
  for (const Entry& entry : now) {
    const Entry* known = find(file, entry);
    if (!known)
      lines.push_back(name_of(entry) + " isn't in the file");
    else if (known->n != entry.n || std::abs(known->mape - entry.mape) > rounding ||
             std::abs(known->worst - entry.worst) > rounding) {
      lines.push_back(name_of(entry) + " has changed");
    }
  }
  for (const Entry& entry : file) {
    if (!find(now, entry)) lines.push_back(name_of(entry) + " is no longer compared");
  }
  return lines;
}

std::vector<std::string> lines_for(const report::Finished& finished,
                                   const std::vector<Entry>& entries) {
  std::vector<std::string> lines;
  if (finished.results.empty()) return lines;
  const std::string pattern(to_name(finished.results.front().pattern));
  const std::string path(to_name(finished.results.front().path));
  for (const Entry& entry : entries) {
    if (entry.system != finished.system || entry.pattern != pattern || entry.path != path) continue;
    lines.push_back(fmt::format("{}: n {}, MAPE {:.1f} %, worst {:+.1f} %", name_of(entry), entry.n,
                                entry.mape * 100, entry.worst * 100));
  }
  if (lines.empty()) {
    lines.push_back(fmt::format("{} by {} on {}: no published figure to hold it against", pattern,
                                path, finished.system));
  }
  return lines;
}

}  // namespace gicsim::evidence
