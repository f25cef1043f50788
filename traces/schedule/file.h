// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "models/base/errors.h"

namespace gicsim::schedule {

/// One open file that many cursors read.
class File {
 public:
  explicit File(std::string name);
  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  /// @return how many there were
  std::size_t read(std::uint64_t at, char* to, std::size_t n);
  /// Of all reads since the last `forget_read`, of the whole file.
  double share_read() const { return std::min(1.0, static_cast<double>(read_) / static_cast<double>(size_)); }
  void forget_read() { read_ = 0; }

 private:
  std::string name_;
  std::ifstream in_;
  std::uint64_t size_ = 0, read_ = 0;
};

/// A line, as a Location has it.
int line_of(std::uint64_t place);

/// A text file line by line, in memory no larger than its longest line.
class Lines {
 public:
  explicit Lines(std::string file, std::size_t longest = 1 << 24);
  /// Without its end. @return false: there are no more
  bool next(std::string& line);
  void rewind();
  std::uint64_t number() const { return number_; }
  double progress() const { return file_.share_read(); }
  const std::string& file() const { return file_.name(); }
  /// About the line that was read last.
  [[noreturn]] void fail(const std::string& what, int column = 1) const;

 private:
  File file_;
  std::size_t longest_, used_ = 0;
  std::uint64_t at_ = 0, number_ = 0;
  std::vector<char> buffer_;
};

}  // namespace gicsim::schedule
