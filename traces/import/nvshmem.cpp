// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/format.h"
#include "traces/import/detail/nvshmem_tests.h"

/// NVSHMEM's perftest: tables under "#test", or with NVSHMEM_MACHINE_READABLE_OUTPUT lines that begin "&&&& PERF".
/// Its latencies are whole: a put with its quiet, a get, a round trip where the test's name says ping.
namespace gicsim::imports::detail {
namespace {

enum class Column { size, scope, type, redop, value, min, max, repeats, algbw, busbw, unused };

struct Head {
  std::string job;
  std::vector<std::pair<Column, std::string>> columns;
  std::string quantity, unit;  ///< of `value`: latency us, BW GB/sec, msgrate MMPS
};

Column column_of(std::string_view title) {
  static constexpr std::pair<std::string_view, Column> known[] = {
      {"size", Column::size},           {"scope", Column::scope}, {"type", Column::type},
      {"redop", Column::redop},         {"min", Column::min},     {"max", Column::max},
      {"repetitions", Column::repeats}, {"algbw", Column::algbw}, {"busbw", Column::busbw},
      {"latency", Column::value},       {"BW", Column::value},    {"Bandwidth", Column::value},
      {"msgrate", Column::value}};
  for (const auto& [name, column] : known)
    if (begins(title, name)) return column;
  return Column::unused;  // count follows from size and type; stddev has no place
}

Head head_of(std::string_view line, std::string job) {
  Head head{std::move(job), {}, {}, {}};
  for (const Cell& title : titles(line)) {
    const Column column = column_of(title.text);
    if (column == Column::value) {
      const std::size_t bracket = title.text.find('(');
      head.quantity = trimmed(title.text.substr(0, bracket));
      if (bracket != title.text.npos) head.unit = title.text.substr(bracket + 1, title.text.find(')') - bracket - 1);
    }
    head.columns.emplace_back(column, title.text);
  }
  return head;
}

void read_row(const Head& head, Input& in, Found& found, NvshmemTests& tests) {
  const std::vector<Cell> words = cells(in.line());
  const int line = in.number();
  if (words.size() != head.columns.size())
    return found.mistake(line, 1,
                         fmt::format("{} words, but the header names {} columns: the text is cut or two are "
                                     "mixed; give the whole row",
                                     words.size(), head.columns.size()));
  NvshmemTests::Row row;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& [column, title] = head.columns[i];
    const auto figure = [&](std::optional<double>& into) { into = found.figure(line, words[i], title); };
    switch (column) {
      case Column::size: {
        const auto bytes = found.count(line, words[i], title);
        if (!bytes) return;
        row.size = *bytes;
        break;
      }
      case Column::scope: row.scope = words[i].text; break;
      case Column::type: row.type = words[i].text; break;
      case Column::redop: row.redop = words[i].text; break;
      case Column::value: figure(row.value); break;
      case Column::min: figure(row.min); break;
      case Column::max: figure(row.max); break;
      case Column::algbw: figure(row.algbw); break;
      case Column::busbw: figure(row.busbw); break;
      case Column::repeats: break;
      case Column::unused:
        if (title != "count") found.leave(line, fmt::format("column {}: a record has no place for it", title));
    }
  }
  tests.row(line, head.job, head.unit, row);
}

/// "&&&& PERF job___scope___size__8___latency 4.2 -us", "&&&& PERF_STATS … -us mean=4.2 stddev=… min=… max=… …".
void read_machine_line(Input& in, Found& found, NvshmemTests& tests) {
  const int line = in.number();
  const std::vector<Cell> words = cells(in.line());
  const auto wrong = [&] {
    found.mistake(line, 1,
                  "not of the form '&&&& PERF test___scope___size__N___latency VALUE -us'; the text is cut or "
                  "two are mixed, give the whole line");
  };
  if (words.size() < 5) return wrong();
  std::vector<std::string_view> names;
  for (std::string_view all = words[2].text;;) {
    const std::size_t end = all.find("___");
    names.push_back(all.substr(0, end));
    if (end == all.npos) break;
    all.remove_prefix(end + 3);
  }
  const auto size = names.size() == 4 && begins(names[2], "size__") ? whole(names[2].substr(6)) : std::nullopt;
  if (!size) return wrong();
  NvshmemTests::Row row;
  row.size = *size;
  row.scope = names[1];
  if (const std::size_t dash = row.scope.rfind('-'); dash != row.scope.npos) {  // 32-bit-thread, int-sum-warp
    row.type = row.scope.substr(0, dash);
    row.scope = row.scope.substr(dash + 1);
    if (const std::size_t op = row.type.find('-'); op != row.type.npos && !ends(row.type, "-bit")) {
      row.redop = row.type.substr(op + 1);
      row.type = row.type.substr(0, op);
    }
  }
  const bool stats = words[1].text == "PERF_STATS";
  std::string_view unit = words[stats ? 3 : 4].text;
  if (!unit.empty()) unit.remove_prefix(1);  // + more is better, - less
  if (!stats) row.value = found.figure(line, words[3], names[3]);
  for (std::size_t i = 4; stats && i < words.size(); ++i) {
    const std::size_t is = std::min(words[i].text.find('='), words[i].text.size() - 1);
    const std::string_view name = words[i].text.substr(0, is);
    const Cell value{words[i].text.substr(is + 1), words[i].column + static_cast<int>(is) + 1};
    if (name == "mean") row.value = found.figure(line, value, name);
    if (name == "min") row.min = found.figure(line, value, name);
    if (name == "max") row.max = found.figure(line, value, name);
    if (name == "stddev") found.leave(line, "stddev: a record has no place for it");
  }
  tests.row(line, names[0], unit, row);
}

bool detect(std::string_view head) {
  return has(head, "&&&& PERF") || (has(head, "size(B)") && (has(head, "scope") || has(head, "latency(us)")));
}

void read(Input& in, Found& found) {
  NvshmemTests tests(found);
  std::optional<Head> head;
  std::string job;
  while (in.next()) {
    const std::string_view text = trimmed(in.line());
    if (text.empty()) continue;
    if (begins(text, "&&&& PERF")) {
      read_machine_line(in, found, tests);
    } else if (text.front() == '#') {
      job = trimmed(text.substr(1));
      head.reset();
    } else if (begins(text, "size(B)")) {
      head = head_of(text, job);
    } else if (has(text, " iterations:")) {
      tests.options(text);
    } else if (head && text.front() >= '0' && text.front() <= '9') {
      read_row(*head, in, found, tests);
    } else if (head) {
      found.leave(in.number(), "a line between a table's rows: warnings and the like");
    }
  }
}

}  // namespace

const Format nvshmem{"nvshmem perftest", detect, read};

}  // namespace gicsim::imports::detail
