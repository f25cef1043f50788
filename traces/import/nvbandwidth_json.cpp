// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/format.h"
#include "traces/import/detail/json.h"
#include "traces/import/detail/nvbandwidth_test.h"

/// nvbandwidth -j. Rows and columns of a matrix are numbered by their place.
namespace gicsim::imports::detail {
namespace {

std::string_view text_of(const text::Node& map, std::string_view key) {
  const text::Member* member = map.find(key);
  return member == nullptr ? std::string_view() : std::string_view(member->value.value);
}

bool detect(std::string_view head) { return is_json(head) && has(head, "\"nvbandwidth\""); }

void read(Input& in, Found& found) {
  const text::Node root = parse_json(in);
  const text::Member* all = root.find("nvbandwidth");
  const text::Member* tests = all == nullptr ? nullptr : all->value.find("testcases");
  if (tests == nullptr)
    throw ConfigError(root.at, "'nvbandwidth' with 'testcases' in it is missing; give the whole file");
  const std::string version(text_of(all->value, "version"));
  for (const text::Node& test : tests->value.items) {
    const text::Member* matrix = test.find("bandwidth_matrix");
    if (matrix == nullptr) {
      found.leave(test.at.line, "a test that was waived or failed");
      continue;
    }
    const NvbandwidthTest reader(std::string(text_of(test, "name")), text_of(test, "bandwidth_description"), version);
    std::int64_t row = 0;
    for (const text::Node& line : matrix->value.items) {
      std::int64_t column = 0;
      for (const text::Node& cell : line.items) reader.give(cell.at.line, row, column++, cell_of(cell), found);
      ++row;
    }
    if (test.find("sum") != nullptr) found.leave(test.at.line, "SUM and the like: they follow from the matrix");
  }
}

}  // namespace

const Format nvbandwidth_json{"nvbandwidth JSON", detect, read};

}  // namespace gicsim::imports::detail
