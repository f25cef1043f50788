// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/import/detail/cells.h"
#include "traces/import/table.h"

/// Records on their way into tables.
namespace gicsim::imports::detail {

std::string text_at(const Record& record, std::string_view key);  ///< empty where it isn't there
std::optional<std::int64_t> number_at(const Record& record, std::string_view key);
inline double or_nan(const std::optional<double>& value) { return value.value_or(std::nan("")); }

/// Which table a record belongs to, which of its rows, and which figure of the row it is.
struct Place {
  std::string table, row, figure;
};

struct Line {
  std::string row;
  std::vector<std::pair<std::string, const Record*>> figures;
  const Record& any() const { return *figures.front().second; }
  const Record* find(std::string_view figure) const;
};

/// Tables in the order of their first records.
struct Sheet {
  std::string table;
  std::vector<Line> lines;
  const Record& any() const { return lines.front().any(); }
};

class Sorter {
 public:
  /// @param keys  of `where` that the layout has a place for, or that say which table or row it is
  Sorter(const std::vector<Record>& records, std::vector<std::string_view> keys,
         const std::function<std::optional<Place>(const Record&)>& place);
  const std::vector<Sheet>& sheets() const { return sheets_; }
  std::vector<Left> take_left() { return std::move(left_); }

 private:
  void leave(int record, const std::string& why);
  std::vector<Sheet> sheets_;
  std::vector<Left> left_;
};

Table perftest_table(const std::vector<Record>& records);
Table nvshmem_table(const std::vector<Record>& records);
Table nccl_tests_table(const std::vector<Record>& records);

}  // namespace gicsim::imports::detail
