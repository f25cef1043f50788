// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "models/base/errors.h"
#include "tests/support/files.h"
#include "traces/import/import.h"
#include "traces/import/table.h"

namespace gicsim::imports {

struct Result {
  std::vector<Record> records;
  Imported imported;
  std::string wrong;  ///< mistakes, one a line

  /// How often something was left out for a reason that holds `part`.
  std::int64_t left(const std::string& part) const {
    std::int64_t count = 0;
    for (const Left& left : imported.left)
      if (holds(left.why, part)) count += left.count;
    return count;
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const Record& record : records) lines.push_back(to_json_line(record));
    return lines;
  }
};

inline Result import(const std::string& text, Said said = {"lab", {}, {}}) {
  Result result;
  std::istringstream in(text);
  try {
    result.imported =
        read(in, "f.txt", said, [&result](Record&& record) { result.records.push_back(std::move(record)); });
  } catch (const ConfigError& error) {
    result.wrong = error.what();
  }
  return result;
}

inline std::string sample(const std::string& name) { return contents(source_root() + "/traces/samples/" + name); }

inline std::string where(const Record& record) {
  std::string text;
  for (const auto& [key, value] : record.where)
    text += (text.empty() ? "" : " ") + key + "=" +
            (value.index() == 0 ? std::to_string(std::get<0>(value)) : std::get<1>(value));
  return text;
}

}  // namespace gicsim::imports
