// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "models/base/errors.h"

namespace gicsim::imports::detail {

/// A text of any length, read line by line in memory no larger than its longest line, which is bounded.
class Input {
 public:
  Input(std::istream& in, std::string file) : in_(in), file_(std::move(file)) {}

  /// What the text begins with; the lines are still to come.
  std::string_view head();
  /// @return false at the end of the text
  /// @throws ConfigError  what can't be text
  bool next();
  std::string_view line() const { return line_; }  ///< without its end and blanks before it
  int number() const { return number_; }           ///< counted from 1
  /// All that is left, for formats that are one value.
  std::string rest();
  const std::string& file() const { return file_; }

 private:
  bool refill();
  [[noreturn]] void fail(const std::string& what) const;

  std::istream& in_;
  std::string file_;
  std::string buffer_;
  std::size_t at_ = 0;  ///< what of the buffer is read already
  std::string_view line_;
  int number_ = 0;
};

}  // namespace gicsim::imports::detail
