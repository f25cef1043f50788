// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/base/errors.h"
#include "traces/import/detail/cells.h"
#include "traces/import/import.h"

namespace gicsim::imports::detail {

/// What a reader finds in one file: records, what it leaves out, mistakes.
class Found {
 public:
  Found(std::string file, const Said& said, const Sink& sink) : file_(std::move(file)), said_(said), sink_(sink) {}

  const Said& said() const { return said_; }
  void record(Record record);   ///< system and, where the user gave one, path are filled in
  void hand_on(Record record);  ///< one that is complete
  void leave(int line, std::string_view why, std::int64_t count = 1);
  /// @throws ConfigError at the twentieth
  void mistake(int line, int column, std::string what);

  /// The figure in a cell, in the cell's unit. Nothing where the tool printed none (counted), or for what can't be
  /// a measurement (a mistake).
  std::optional<double> figure(int line, const Cell& cell, std::string_view of);
  /// A count or a number of bytes; else a mistake.
  std::optional<std::int64_t> count(int line, const Cell& cell, std::string_view of);

  /// @throws ConfigError with the mistakes, or when nothing was found
  Imported finish(std::string_view format);

 private:
  std::string file_;
  const Said& said_;
  const Sink& sink_;
  Imported imported_;
  std::vector<Mistake> mistakes_;
};

/// A measured figure, its place in `where` still to be added.
Record measured(Pattern pattern, Path path, Quantity quantity, double value, std::string source);
void put(Record& record, std::string_view key, std::int64_t value);
void put(Record& record, std::string_view key, std::string_view value);

}  // namespace gicsim::imports::detail
