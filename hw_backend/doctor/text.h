// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace gicsim::hw::checkup {

inline bool begins(const std::string& text, const std::string& with) { return text.compare(0, with.size(), with) == 0; }
inline bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::size_t indent_of(const std::string& line) {
  const std::size_t at = line.find_first_not_of(" \t");
  return at == line.npos ? line.size() : at;
}

inline std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == text.npos ? "" : text.substr(begin, end + 1 - begin);
}

inline std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// What stands behind `mark`; empty: the mark isn't there.
inline std::string behind(const std::string& text, const std::string& mark) {
  const std::size_t at = text.find(mark);
  return at == text.npos ? "" : trimmed(text.substr(at + mark.size()));
}

/// The number behind `mark`; 0: none there.
inline double number_behind(const std::string& text, const std::string& mark) {
  return std::strtod(behind(text, mark).c_str(), nullptr);
}

/// "18:00.0", "0000:18:00.0" or "00000000:18:00.0" to "0000:18:00.0"; empty: it is none of them.
inline std::string address_of(const std::string& word) {
  std::string text;
  for (const char c : word) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::size_t n = text.size();
  if (n < 7 || text[n - 2] != '.' || text[n - 5] != ':') return {};
  for (std::size_t i = 0; i < n; ++i) {
    const bool separator = i == n - 2 || i == n - 5 || (i == n - 8 && n > 8);
    if (!separator && std::isxdigit(static_cast<unsigned char>(text[i])) == 0) return {};
  }
  if (n == 7) return "0000:" + text;
  if (n < 12 || n > 16 || text[n - 8] != ':') return {};
  const std::string domain = text.substr(0, n - 8);
  return (domain.size() > 4 && domain.find_first_not_of('0') >= domain.size() - 4 ? domain.substr(domain.size() - 4)
                                                                                  : domain) +
         text.substr(n - 8);
}

}  // namespace gicsim::hw::checkup
