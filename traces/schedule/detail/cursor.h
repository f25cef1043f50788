// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "traces/schedule/file.h"

namespace gicsim::schedule {

/// A part of a file.
struct Extent {
  std::uint64_t at = 0, end = 0, line = 1;
  int column = 1;
};

struct Token {
  enum class Kind { word, number, symbol, newline, end };
  Kind kind = Kind::end;
  std::string text;
  std::uint64_t line = 0;
  int column = 0;
  bool is(std::string_view what) const { return kind != Kind::number && text == what; }
};

/// Where one reader stands in a text: words, numbers and signs of GOAL, without its comments.
class Cursor {
 public:
  Cursor(File& file, const Extent& extent, std::size_t buffer);
  void next(Token& token);
  /// To the brace that closes the one just read. @return false: the text ends before it
  /// @throws ConfigError for another opening one
  bool skip_block(const std::string& block);

  std::uint64_t at() const { return at_ - (filled_ - used_); }
  std::uint64_t line() const { return line_; }
  int column() const { return column_; }
  [[noreturn]] void fail(std::uint64_t line, int column, const std::string& what) const;
  [[noreturn]] void fail(const Token& token, const std::string& what) const { fail(token.line, token.column, what); }

 private:
  static constexpr std::size_t longest = 4096;  ///< word
  static constexpr int nothing = -1;
  int peek() { return used_ < filled_ || fill() ? static_cast<unsigned char>(buffer_[used_]) : nothing; }
  bool fill();
  void bump();
  void skip_comment();
  template <class Belongs>
  void take(Token& token, Belongs belongs);

  File& file_;
  std::uint64_t at_, end_, line_;
  int column_;
  std::size_t size_, used_ = 0, filled_ = 0;
  std::vector<char> buffer_;
};

}  // namespace gicsim::schedule
