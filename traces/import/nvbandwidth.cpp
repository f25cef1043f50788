// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/format.h"
#include "traces/import/detail/nvbandwidth_test.h"

/// nvbandwidth's text: "Running NAME.", a description with the unit, a line of column numbers, rows, "SUM NAME value".
namespace gicsim::imports::detail {
namespace {

bool all_numbers(const std::vector<Cell>& words) {
  for (const Cell& word : words)
    if (!whole(word.text)) return false;
  return !words.empty();
}

bool detect(std::string_view head) {
  return has(head, "nvbandwidth Version") || (has(head, "Running ") && has(head, "(row)"));
}

void read_row(const NvbandwidthTest& test, const std::vector<Cell>& columns, Input& in, Found& found) {
  const std::vector<Cell> words = cells(in.line());
  if (words.size() != columns.size() + 1)
    return found.mistake(in.number(), 1,
                         fmt::format("{} words, but {} columns have a number above: the text is cut or "
                                     "two are mixed; give the whole row",
                                     words.size(), columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i)
    test.give(in.number(), *whole(words[0].text), *whole(columns[i].text), words[i + 1], found);
}

void read(Input& in, Found& found) {
  std::string version, name, above;
  std::string header;
  std::vector<Cell> columns;
  std::optional<NvbandwidthTest> test;
  while (in.next()) {
    const std::string_view text = trimmed(in.line());
    const std::vector<Cell> words = cells(text);
    if (begins(text, "nvbandwidth Version:")) {
      version = word_after(text, "Version:");
    } else if (begins(text, "Running ")) {
      name = text.substr(8, text.size() - 8 - (text.back() == '.' ? 1 : 0));
      test.reset();
    } else if (begins(text, "SUM ") || begins(text, "MIN ") || begins(text, "MAX ") || begins(text, "AVG ")) {
      found.leave(in.number(), "SUM and the like: they follow from the matrix");
      test.reset();
    } else if (begins(text, "Waived") || begins(text, "WAIVED") || begins(text, "ERROR") || begins(text, "Error")) {
      found.leave(in.number(), "a test that was waived or failed");
    } else if (!name.empty() && !test && all_numbers(words) && has(above, "(row)")) {
      header = text;
      columns = cells(header);
      test.emplace(name, above, version);
    } else if (test && !words.empty() && whole(words[0].text)) {
      read_row(*test, columns, in, found);
    }
    above = text;
  }
}

}  // namespace

const Format nvbandwidth{"nvbandwidth", detect, read};

}  // namespace gicsim::imports::detail
