// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/time.h"
#include "traces/schedule/file.h"

namespace gicsim::fabric {

struct Word {
  std::string_view text;
  int column = 1;
};

/// What stands between blanks.
void split(std::string_view line, std::vector<Word>& words);
/// All of it is one. @return false: no number, or too large
bool whole(std::string_view text, std::uint64_t& value);
bool decimal(std::string_view text, double& value);

/// Lines of words, and what is wrong with one.
class WordLines {
 public:
  explicit WordLines(const std::string& file) : lines_(file, 1 << 20) {}
  /// The next line that isn't empty. @return false: there is none
  bool next();
  const std::vector<Word>& words() const { return words_; }
  std::uint64_t number(std::size_t word, std::string_view of, std::uint64_t most) const;
  /// @param scale  picoseconds in one of its units
  Picoseconds time(std::size_t word, std::string_view of, double scale) const;
  [[noreturn]] void fail(std::size_t word, const std::string& what) const;
  schedule::Lines& lines() { return lines_; }
  const schedule::Lines& lines() const { return lines_; }

 private:
  schedule::Lines lines_;
  std::string line_;
  std::vector<Word> words_;
};

}  // namespace gicsim::fabric
