// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/format.h"
#include "traces/import/detail/perftest_run.h"

/// perftest's text: a title, facts, and a table below a header that begins "#bytes".
namespace gicsim::imports::detail {
namespace {

using Column = PerftestRun::Column;

struct Header {
  std::vector<std::pair<Column, std::string>> columns;
  std::string unit;
};

Column column_of(std::string_view title) {
  static constexpr std::pair<std::string_view, Column> known[] = {{"#bytes", Column::bytes},
                                                                  {"#iterations", Column::iterations},
                                                                  {"t_min[usec]", Column::min},
                                                                  {"t_max[usec]", Column::max},
                                                                  {"t_typical[usec]", Column::typical},
                                                                  {"t_avg[usec]", Column::average},
                                                                  {"99% percentile[usec]", Column::p99},
                                                                  {"MsgRate[Mpps]", Column::rate}};
  for (const auto& [name, column] : known)
    if (title == name) return column;
  if (begins(title, "BW peak[")) return Column::peak;
  return begins(title, "BW average[") ? Column::bandwidth : Column::unused;
}

/// Titles are of one or two words; the last begins with '#' or ends with a bracket.
Header header_of(std::string_view line) {
  Header header;
  std::string title;
  for (const Cell& word : cells(line)) {
    title += (title.empty() ? "" : " ") + std::string(word.text);
    if (word.text.front() != '#' && word.text.back() != ']' && title != "tps average") continue;
    const Column column = column_of(title);
    const std::size_t bracket = title.find('[');
    if (column == Column::bandwidth) header.unit = title.substr(bracket + 1, title.size() - bracket - 2);
    header.columns.emplace_back(column, std::move(title));
    title.clear();
  }
  return header;
}

bool is_known(const Header& header) {
  return header.unit.empty() || header.unit == "MB/sec" || header.unit == "MiB/sec" || header.unit == "Gb/sec";
}

/// " Dual-port       : OFF          Device         : mlx5_0" has two facts.
void read_facts(std::string_view line, PerftestRun& run) {
  std::string_view name;
  for (const Cell& cell : titles(line)) {
    const std::size_t colon = cell.text.find(':');
    if (colon == cell.text.npos) {
      name = cell.text;
      continue;
    }
    if (colon > 0) name = trimmed(cell.text.substr(0, colon));
    run.fact(name, trimmed(cell.text.substr(colon + 1)));
  }
}

void read_row(const Header& header, Input& in, Found& found, PerftestRun& run) {
  const std::vector<Cell> words = cells(in.line());
  if (words.size() != header.columns.size())
    return found.mistake(in.number(), 1,
                         fmt::format("{} figures, but the header names {} columns: the text is cut or two are mixed; "
                                     "give the whole row",
                                     words.size(), header.columns.size()));
  PerftestRun::Row row;
  for (std::size_t i = 0; i < words.size(); ++i) {
    row.emplace_back(header.columns[i].first, words[i]);
    const std::string& title = header.columns[i].second;
    const bool stands_in = header.columns[i].first == Column::average && title == "t_avg[usec]";
    if (header.columns[i].first == Column::unused || (stands_in && words.size() > 4))
      found.leave(in.number(), fmt::format("column {}: a record has no place for it", title));
  }
  run.row(in.number(), row, header.unit);
}

bool detect(std::string_view head) {
  return has(head, "#bytes") && has(head, "#iterations") &&
         (has(head, "t_avg[") || has(head, "BW average[") || has(head, "t_typical["));
}

void read(Input& in, Found& found) {
  PerftestRun run(found);
  std::optional<Header> header;
  while (in.next()) {
    const std::string_view text = trimmed(in.line());
    if (text.empty()) continue;
    if (begins(text, "-----")) {
      header.reset();
    } else if (begins(text, "#bytes")) {
      header = header_of(text);
      if (is_known(*header)) continue;
      found.mistake(in.number(), 1,
                    fmt::format("bandwidth in '{}'; MB/sec, MiB/sec and Gb/sec are known", header->unit));
      header.reset();
    } else if (header && text.front() >= '0' && text.front() <= '9') {
      read_row(*header, in, found, run);
    } else if (header) {
      found.leave(in.number(), "a line between a table's rows: warnings and the like");
    } else if (ends(text, "Latency Test") || ends(text, "BW Test")) {
      run.title(text);
    } else if (has(text, "GPU buffer")) {
      run.gpu_buffer();
    } else if (begins(text, "Version:")) {
      run.version(word_after(text, "Version:"));
    } else {
      read_facts(text, run);
    }
  }
}

}  // namespace

const Format perftest{"perftest", detect, read};

}  // namespace gicsim::imports::detail
