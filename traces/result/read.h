// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "traces/result/record.h"

namespace gicsim {

/// A line that is no record; what() reads "results.jsonl:12: 'latency' is no quantity; ...".
class MalformedRecord : public std::runtime_error {
 public:
  MalformedRecord(const std::string& file, int line, const std::string& what)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + what), line_(line) {}
  int line() const { return line_; }

 private:
  int line_;
};

/// Reads records one by one from JSON Lines, in memory no larger than a line. Empty lines are
/// passed over, and so is what stands beside records: points of a sweep that failed (`gicsim.failure/1`), and what the
/// hardware back-end says of its machine, of what it skipped, and its samples. Fields of later formats are ignored.
class RecordReader {
 public:
  /// @param in    must outlive the reader
  /// @param file  its name, for messages
  RecordReader(std::istream& in, std::string file) : in_(in), file_(std::move(file)) {}

  /// @return nothing at the end of the text
  /// @throws MalformedRecord
  std::optional<Record> next();

 private:
  std::istream& in_;
  std::string file_;
  int line_ = 0;
};

/// All records of a text; see RecordReader.
std::vector<Record> read_records(std::istream& in, const std::string& file);

}  // namespace gicsim
