// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/cells.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gicsim::imports::detail {
namespace {

constexpr std::string_view blanks = " \t";

template <class Number>
std::optional<Number> read(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::vector<Cell> cells(std::string_view line) {
  std::vector<Cell> found;
  for (std::size_t at = line.find_first_not_of(blanks); at != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    found.push_back({line.substr(at, end - at), static_cast<int>(at) + 1});
    at = line.find_first_not_of(blanks, end);
  }
  return found;
}

std::vector<Cell> titles(std::string_view line) {
  std::vector<Cell> found;
  for (std::size_t at = line.find_first_not_of(blanks); at != line.npos;) {
    const std::size_t end = std::min({line.find('\t', at), line.find("  ", at), line.size()});
    found.push_back({trimmed(line.substr(at, end - at)), static_cast<int>(at) + 1});
    at = line.find_first_not_of(blanks, end);
  }
  return found;
}

std::optional<std::int64_t> whole(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  return read<std::int64_t>(text);
}

std::optional<double> decimal(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto number = read<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool is_unknown(std::string_view text) {
  for (const std::string_view word : {"", "-", "N/A", "n/a", "NA", "nan", "-nan", "NaN", "inf", "-inf", "null"})
    if (text == word) return true;
  return false;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string_view word_after(std::string_view line, std::string_view words) {
  const std::size_t found = line.find(words);
  if (found == line.npos) return {};
  line = trimmed(line.substr(found + words.size()));
  return line.substr(0, line.find_first_of(" \t,"));
}

std::optional<std::int64_t> number_after(std::string_view line, std::string_view words) {
  const std::string_view word = word_after(line, words);
  return whole(word.substr(0, std::min(word.find_first_not_of("0123456789"), word.size())));
}

}  // namespace gicsim::imports::detail
