// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gicsim::imports::detail {

/// A word of a line, or a column's title.
struct Cell {
  std::string_view text;
  int column = 0;  ///< where it begins, from 1
};

std::vector<Cell> cells(std::string_view line);   ///< what blanks stand between
std::vector<Cell> titles(std::string_view line);  ///< what tabs or two blanks stand between

std::optional<std::int64_t> whole(std::string_view text);  ///< digits and nothing else
std::optional<double> decimal(std::string_view text);      ///< finite; 1e+03 too
bool is_unknown(std::string_view text);                    ///< how tools write "none": N/A, NA, nan, inf, -, empty

inline bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }
inline bool begins(std::string_view text, std::string_view part) { return text.substr(0, part.size()) == part; }
inline bool ends(std::string_view text, std::string_view part) {
  return text.size() >= part.size() && text.substr(text.size() - part.size()) == part;
}
std::string_view trimmed(std::string_view text);
/// The whole number behind the last of `words`, which follow each other; " iters: " 20.
std::optional<std::int64_t> number_after(std::string_view line, std::string_view words);
/// The word behind `words`, up to a blank or comma.
std::string_view word_after(std::string_view line, std::string_view words);

}  // namespace gicsim::imports::detail
