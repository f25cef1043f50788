// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "traces/fabric/detail/words.h"

namespace gicsim::fabric {

void split(std::string_view line, std::vector<Word>& words) {
  constexpr std::string_view blanks = " \t\r";
  words.clear();
  for (std::size_t at = line.find_first_not_of(blanks); at != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back({line.substr(at, end - at), static_cast<int>(at) + 1});
    at = line.find_first_not_of(blanks, end);
  }
}

bool whole(std::string_view text, std::uint64_t& value) {
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  return wrong == std::errc{} && end == text.data() + text.size();
}

bool decimal(std::string_view text, double& value) {
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  return wrong == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

bool WordLines::next() {
  do {
    if (!lines_.next(line_)) return false;
    split(line_, words_);
  } while (words_.empty());
  return true;
}

void WordLines::fail(std::size_t word, const std::string& what) const {
  const bool there = word < words_.size();
  const std::string_view text = there ? words_[word].text : std::string_view();
  const std::string shown = there ? fmt::format("'{}'", text.substr(0, 60)) : std::string("the end of the line");
  lines_.fail(shown + ": " + what, there ? words_[word].column : static_cast<int>(line_.size()) + 1);
}

std::uint64_t WordLines::number(std::size_t word, std::string_view of, std::uint64_t most) const {
  std::uint64_t value = 0;
  if (word >= words_.size() || !whole(words_[word].text, value) || value > most)
    fail(word, fmt::format("write {}, a whole number up to {}", of, most));
  return value;
}

Picoseconds WordLines::time(std::size_t word, std::string_view of, double scale) const {
  double value = 0;
  if (word >= words_.size() || !decimal(words_[word].text, value) || value < 0 || value * scale > 9e18)
    fail(word, fmt::format("write {}, up to {:g}", of, 9e18 / scale));
  return Picoseconds{std::llround(value * scale)};
}

}  // namespace gicsim::fabric
