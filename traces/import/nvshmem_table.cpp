// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "traces/import/detail/layout.h"
#include "traces/import/detail/nccl_run.h"
#include "traces/import/detail/nvshmem_job.h"

namespace gicsim::imports::detail {
namespace {

std::string job_of(const Record& record) {
  if (const std::string test = text_at(record, "test"); nvshmem_job(test)) return test;
  return std::string(nvshmem_name(record.pattern, record.quantity, text_at(record, "verb"), text_at(record, "atomic")));
}

std::string size_of(const Record& record) {
  return text_at(record, record.pattern == Pattern::barrier ? "threads" : "bytes");
}

/// One table holds latency, algbw and busbw of a collective, but for barriers, which move nothing.
bool is_wide(const Record& record) { return is_collective(record.pattern) && record.pattern != Pattern::barrier; }

bool is_right(const Record& record) {
  if (record.quantity == Quantity::message_rate || record.quantity == Quantity::bandwidth)
    return is_wide(record) ? record.quantity == Quantity::bandwidth
                           : record.pattern == Pattern::put_bw || record.pattern == Pattern::message_rate;
  const auto job = nvshmem_job(job_of(record));
  return (is_wide(record) && record.quantity == Quantity::bus_bandwidth) || (job && job->latency == record.quantity);
}

std::optional<Place> place(const Record& record) {
  const std::string job = job_of(record), size = size_of(record);
  if (job.empty() || size.empty() || !is_right(record)) return std::nullopt;
  const std::string quantity(to_name(record.quantity));
  const char* size_key = record.pattern == Pattern::barrier ? "threads" : "bytes";
  return Place{is_wide(record) ? job : job + " " + quantity, fmt::format("\n{}={}", size_key, size), quantity};
}

std::string options(const Sheet& sheet) {
  const Record& record = sheet.any();
  std::string text =
      fmt::format("Runtime options after parsing command line arguments\nmin_size: {}, max_size: {}, iterations: {}",
                  size_of(record), size_of(sheet.lines.back().any()), record.n);
  for (const auto& [name, key] : {std::pair{"number of ctas", "ctas"}, {"threads per cta", "threads_per_cta"}})
    if (const std::string value = text_at(record, key); !value.empty()) text += fmt::format(", {}: {}", name, value);
  return text + "\n";
}

std::string scope_of(const Record& record) {
  const std::string scope = text_at(record, "scope");
  if (!scope.empty()) return scope;
  return unit_of(record.quantity) == "ns" && record.quantity != Quantity::rtt ? "Thread" : "None";
}

/// size, scope, one figure; min and max where they are known.
std::string narrow(const Sheet& sheet) {
  const Record& first = sheet.any();
  const bool time = unit_of(first.quantity) == "ns";
  const bool spread = first.min && first.max;
  const double unit = time ? 1000 : 1;
  const char* name = time ? "us" : first.quantity == Quantity::bandwidth ? "GB/sec" : "MMPS";
  const char* what = time ? "latency" : first.quantity == Quantity::bandwidth ? "BW" : "msgrate";
  const auto title = [name](const char* of) { return fmt::format("{} ({})", of, name); };
  std::string text = fmt::format("{:<10}  {:<8}  {:<16}", "size(B)", "scope", title(what));
  if (spread)
    text += fmt::format("  {:<16}  {:<16}  {:<16}  {:<12}", title("stddev"), title("min"), title("max"), "repetitions");
  text += '\n';
  for (const Line& line : sheet.lines) {
    const Record& record = line.any();
    text += fmt::format("{:<10}  {:<8}  {:<16.6f}", size_of(record), scope_of(record), record.value / unit);
    if (spread)
      text += fmt::format("  {:<16}  {:<16.6f}  {:<16.6f}  {:<12}", "NA", or_nan(record.min) / unit,
                          or_nan(record.max) / unit, "NA");
    text += '\n';
  }
  return text;
}

std::string wide(const Sheet& sheet) {
  const Record& first = sheet.any();
  const bool redop = !text_at(first, "redop").empty(), stream = text_at(first, "issue") == "on_stream";
  std::string text = fmt::format("{:<10}  {:<8}  {:<8}  {}{}{:<16}  {}{:<12}  {:<12}\n", "size(B)", "count", "type",
                                 redop ? "redop     " : "", stream ? "" : "scope     ", "latency(us)",
                                 stream ? "min_lat(us)       max_lat(us)       " : "", "algbw(GB/s)", "busbw(GB/s)");
  for (const Line& line : sheet.lines) {
    const Record& record = line.any();
    const std::string type = text_at(record, "type").empty() ? "int" : text_at(record, "type");
    const int bits = has(type, "64") || has(type, "long") || has(type, "double") ? 8 : has(type, "16") ? 2 : 4;
    text += fmt::format("{:<10}  {:<8}  {:<8}  ", size_of(record), number_at(record, "bytes").value_or(0) / bits, type);
    if (redop) text += fmt::format("{:<8}  ", text_at(record, "redop"));
    if (!stream) text += fmt::format("{:<8}  ", scope_of(record));
    const auto value = [&](std::string_view quantity) {
      const Record* found = line.find(quantity);
      return found == nullptr ? std::nan("") : found->value;
    };
    const Record* time = line.find("latency");
    text += fmt::format("{:<16.6f}  ", value("latency") / 1000);
    if (stream)
      text += fmt::format("{:<16.3f}  {:<16.3f}  ", time != nullptr ? or_nan(time->min) / 1000 : std::nan(""),
                          time != nullptr ? or_nan(time->max) / 1000 : std::nan(""));
    text += fmt::format("{:<12.3f}  {:<12.3f}\n", value("bandwidth"), value("bus_bandwidth"));
  }
  return text;
}

}  // namespace

Table nvshmem_table(const std::vector<Record>& records) {
  Sorter sorter(
      records,
      {"bytes", "test", "verb", "atomic", "scope", "type", "redop", "ctas", "threads_per_cta", "issue", "memory"},
      place);
  Table table;
  for (const Sheet& sheet : sorter.sheets()) {
    const std::string job = job_of(sheet.any());
    table.text += options(sheet) + fmt::format("#{:>10}\n", job) + (is_wide(sheet.any()) ? wide(sheet) : narrow(sheet));
  }
  table.left = sorter.take_left();
  return table;
}

}  // namespace gicsim::imports::detail
