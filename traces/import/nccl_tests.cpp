// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/format.h"
#include "traces/import/detail/nccl_run.h"

/// nccl-tests' table: comments begin with '#', and so do the two lines of its header. Each row has two halves, out of
/// place and in place; -I adds four columns to each, -S a time at the end. Older versions lack root or redop.
namespace gicsim::imports::detail {
namespace {

using Header = std::vector<std::string>;  ///< size count type redop root time algbw busbw #wrong time …

bool is_header(std::string_view line) {
  return line.front() == '#' && has(line, " size ") && has(line, "algbw") && has(line, "busbw");
}

Header header_of(std::string_view line) {
  Header header;
  for (const Cell& word : cells(line.substr(1))) header.emplace_back(word.text);
  if (header.back() == "timestamp") header.emplace_back("timestamp");  // a day and an hour
  return header;
}

void read_comment(std::string_view line, NcclRun& run) {
  if (begins(line, "# Collective test starting:")) run.collective = nccl_collective(word_after(line, "starting:"));
  if (begins(line, "# nccl-tests version")) run.version = word_after(line, "version");
  if (has(line, "nThread ")) {
    run.ranks = 0;
    const std::size_t iterations = line.find(" iters:", line.find("warmup iters:") + 12);
    if (iterations != line.npos) run.iterations = number_after(line.substr(iterations), " iters:").value_or(0);
  }
  if (const auto words = cells(line); words.size() > 2 && words[1].text == "Rank" && whole(words[2].text)) ++run.ranks;
}

/// A command line that was printed or typed: "./build/all_reduce_perf -b 8".
void read_command(std::string_view line, NcclRun& run) {
  for (const Cell& word : cells(line))
    if (ends(word.text, "_perf"))
      if (const auto collective = nccl_collective(word.text)) run.collective = collective;
}

void read_row(const Header& header, Input& in, Found& found, NcclRun& run) {
  const int line = in.number();
  const std::vector<Cell> words = cells(in.line());
  if (words.size() != header.size())
    return found.mistake(line, 1,
                         fmt::format("{} words, but the header names {} columns: the text is cut or two are "
                                     "mixed; give the whole row",
                                     words.size(), header.size()));
  if (!run.knows(line, found)) return;
  NcclRun::Row row;
  NcclHalf halves[2];
  int half = -1;  // 'time' begins each
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view title = header[i];
    if (title == "time" || title == "cputime") half = std::min(half + 1, 1);
    NcclHalf& into = halves[std::max(half, 0)];
    const auto figure = [&](std::optional<double>& place) {
      place = found.figure(line, words[i], fmt::format("{}, {}", title, half == 0 ? "out of place" : "in place"));
    };
    if (title == "size") {
      const auto bytes = found.count(line, words[i], title);
      if (!bytes) return;
      row.bytes = *bytes;
    } else if (title == "type") {
      row.type = words[i].text;
    } else if (title == "redop") {
      row.redop = words[i].text;
    } else if (title == "root") {
      row.root = words[i].text;
    } else if (title == "time" || title == "cputime") {
      figure(into.time_us);
    } else if (title == "algbw") {
      figure(into.algbw);
    } else if (title == "busbw") {
      figure(into.busbw);
    } else if (title == "i_min") {
      figure(into.min_us);
    } else if (title == "i_max") {
      figure(into.max_us);
    } else if (title == "i_p99") {
      figure(into.p99_us);
    } else if (title == "#wrong" || title == "error") {
      const auto wrong = decimal(words[i].text);
      if (title == "#wrong" && wrong) into.wrong = *wrong != 0;
      if (!wrong)
        found.leave(line,
                    fmt::format("{} '{}': the result wasn't checked, its figures are taken", title, words[i].text));
    } else if (title != "count" && title != "timestamp") {
      found.leave(line, fmt::format("column {}: a record has no place for it", title));
    }
  }
  for (int i = 0; i <= half; ++i) run.give(line, row, halves[i], i == 1, found);
}

bool detect(std::string_view head) {
  return has(head, "busbw") && has(head, "algbw") &&
         (has(head, "#wrong") || has(head, "in-place") || has(head, "error"));
}

void read(Input& in, Found& found) {
  NcclRun run;
  std::optional<Header> header;
  while (in.next()) {
    const std::string_view text = trimmed(in.line());
    if (text.empty()) continue;
    if (is_header(text)) {
      header = header_of(text);
    } else if (text.front() == '#') {
      if (has(text, "nThread ")) header.reset();
      read_comment(text, run);
    } else if (header && text.front() >= '0' && text.front() <= '9') {
      read_row(*header, in, found, run);
    } else if (header) {
      found.leave(in.number(), "a line between a table's rows: NCCL's log, warnings and the like");
      read_command(text, run);
    } else {
      read_command(text, run);
    }
  }
}

}  // namespace

const Format nccl_tests{"nccl-tests", detect, read};

}  // namespace gicsim::imports::detail
