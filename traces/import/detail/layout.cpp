// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace gicsim::imports::detail {
namespace {

std::string text_of(const Record::Plain& plain) {
  const auto* number = std::get_if<std::int64_t>(&plain);
  return number != nullptr ? std::to_string(*number) : std::get<std::string>(plain);
}

/// Figures of different machines, paths or settings don't share a table.
std::string rest_of(const Record& record, const std::string& row) {
  std::string rest = record.system + '\n' + std::string(to_name(record.path));
  for (const auto& [key, value] : record.where)
    if (!has(row, "\n" + key + "=")) rest += '\n' + key + '=' + text_of(value);
  return rest;
}

}  // namespace

std::string text_at(const Record& record, std::string_view key) {
  for (const auto& [name, value] : record.where)
    if (name == key) return text_of(value);
  return {};
}

std::optional<std::int64_t> number_at(const Record& record, std::string_view key) {
  return whole(text_at(record, key));
}

const Record* Line::find(std::string_view figure) const {
  for (const auto& [name, record] : figures)
    if (name == figure) return record;
  return nullptr;
}

Sorter::Sorter(const std::vector<Record>& records, std::vector<std::string_view> keys,
               const std::function<std::optional<Place>(const Record&)>& place) {
  int number = 0;
  for (const Record& record : records) {
    ++number;
    auto at = place(record);
    if (!at) {
      leave(number,
            fmt::format("{} of {}: no such figure in this layout", to_name(record.quantity), to_name(record.pattern)));
      continue;
    }
    for (const auto& [key, value] : record.where)
      if (std::find(keys.begin(), keys.end(), key) == keys.end() && !has(at->row, "\n" + key + "="))
        leave(number, fmt::format("{} {}: no place in this layout", key, text_of(value)));
    at->table += '\n' + rest_of(record, at->row);
    auto sheet = std::find_if(sheets_.begin(), sheets_.end(), [&](const Sheet& s) { return s.table == at->table; });
    if (sheet == sheets_.end()) sheet = sheets_.insert(sheets_.end(), Sheet{at->table, {}});
    auto line =
        std::find_if(sheet->lines.rbegin(), sheet->lines.rend(), [&](const Line& l) { return l.row == at->row; });
    if (line == sheet->lines.rend() || line->find(at->figure) != nullptr) {
      sheet->lines.push_back({at->row, {}});
      line = sheet->lines.rbegin();
    }
    line->figures.emplace_back(at->figure, &record);
  }
}

void Sorter::leave(int record, const std::string& why) {
  for (Left& left : left_)
    if (left.why == why) {
      ++left.count;
      return;
    }
  left_.push_back({why, record, 1});
}

}  // namespace gicsim::imports::detail

namespace gicsim::imports {

Table to_table(const std::vector<Record>& records, Layout layout) {
  switch (layout) {
    case Layout::perftest: return detail::perftest_table(records);
    case Layout::nvshmem: return detail::nvshmem_table(records);
    case Layout::nccl_tests: break;
  }
  return detail::nccl_tests_table(records);
}

}  // namespace gicsim::imports
