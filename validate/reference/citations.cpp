// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/reference/citations.h"

#include <cctype>
#include <charconv>

namespace gicsim::reference {
namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

/// The word that begins at a place.
std::string_view word_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && in_word(text[end])) ++end;
  while (end > begin && text[end - 1] == '.') --end;
  return text.substr(begin, end - begin);
}

std::string misuse(const Dataset& dataset, std::string_view part) {
  const std::string id = dataset.id;
  if (dataset.whole) {
    if (*dataset.whole == Use::fit) return "";
    return id + " is of use " + std::string(to_name(*dataset.whole));
  }
  if (part.empty()) return id + " is mixed: name the row or key, as in " + id + "#0";
  std::size_t row = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), row);
  const bool numbered = error == std::errc() && end == part.data() + part.size();
  if (numbered ? row >= dataset.rows.size() : !dataset.scalar(part)) {
    return id + " has no '" + std::string(part) + "'";
  }
  const Use use = numbered ? dataset.row_use(row) : dataset.key_use(part);
  if (use == Use::fit) return "";
  return id + "#" + std::string(part) + " is of use " + std::string(to_name(use));
}

}  // namespace

std::vector<std::string> misuses(const std::vector<Dataset>& datasets, std::string_view source) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!in_word(source[i])) continue;
    const std::string_view word = word_at(source, i);
    i += word.empty() ? 0 : word.size() - 1;
    const Dataset* dataset = find(datasets, word);
    if (!dataset) continue;
    const bool marked = i + 1 < source.size() && source[i + 1] == '#';
    std::string wrong = misuse(*dataset, marked ? word_at(source, i + 2) : std::string_view());
    if (!wrong.empty()) found.push_back(std::move(wrong));
  }
  return found;
}

}  // namespace gicsim::reference
