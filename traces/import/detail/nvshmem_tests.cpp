// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/nvshmem_tests.h"

#include <fmt/format.h>

namespace gicsim::imports::detail {
namespace {

/// The quantity and its factor to a record's unit; nothing for what isn't known.
std::optional<std::pair<Quantity, double>> measure_of(const NvshmemJob& job, std::string_view unit) {
  if (unit == "us") return std::pair{job.latency, 1000.0};
  if (unit == "GB/sec" || unit == "GB/s" || unit == "GB") return std::pair{Quantity::bandwidth, 1.0};
  if (unit == "MMPS") return std::pair{Quantity::message_rate, 1.0};
  return std::nullopt;
}

}  // namespace

void NvshmemTests::options(std::string_view line) {
  iterations_ = number_after(line, " iterations:");
  ctas_ = number_after(line, "number of ctas:");
  threads_ = number_after(line, "threads per cta:");
}

void NvshmemTests::row(int line, std::string_view name, std::string_view unit, const Row& row) {
  const auto job = nvshmem_job(name);
  if (!job) return found_.leave(line, fmt::format("test '{}' isn't known here", name));
  const auto measure = measure_of(*job, unit);
  if (!measure) return found_.leave(line, fmt::format("a figure of {} in '{}' isn't known here", name, unit));
  if (row.value) give(name, *job, row, measure->first, *row.value * measure->second, unit, measure->second);
  const auto by_convention = [&](Quantity quantity, const std::optional<double>& value, std::string_view column) {
    if (!value) return;
    if (*value == 0) return found_.leave(line, fmt::format("{} of 0.000: below what is printed", column));
    give(name, *job, row, quantity, *value, "GB/s", 0);
  };
  by_convention(Quantity::bandwidth, row.algbw, "algbw");
  by_convention(Quantity::bus_bandwidth, row.busbw, "busbw");
}

void NvshmemTests::give(std::string_view name, const NvshmemJob& job, const Row& row, Quantity quantity, double value,
                        std::string_view unit, double spread) {
  const bool time = unit_of(quantity) == "ns";
  Record record = measured(job.pattern, Path::gpu_direct, quantity, value,
                           fmt::format("nvshmem {}, mean in {}{}{}", name, unit,
                                       time             ? ""
                                       : unit == "MMPS" ? " (10^6/s)"
                                                        : " (10^9 B/s)",
                                       !time                        ? ""
                                       : quantity == Quantity::rtt  ? ", round trip"
                                       : is_collective(job.pattern) ? ", one collective"
                                                                    : ", whole operation"));
  if (spread > 0 && row.min) record.min = *row.min * spread;
  if (spread > 0 && row.max) record.max = *row.max * spread;
  record.n = iterations_.value_or(0);
  if (job.pattern == Pattern::barrier)
    put(record, "threads", row.size);  // its size is that of the thread block
  else
    put(record, "bytes", row.size);
  put(record, "test", name);
  if (!job.verb.empty()) put(record, "verb", job.verb);
  if (!job.atomic.empty()) put(record, "atomic", job.atomic);
  if (!row.scope.empty() && row.scope != "None") put(record, "scope", row.scope);
  if (!row.type.empty()) put(record, "type", row.type);
  if (!row.redop.empty()) put(record, "redop", row.redop);
  if (unit_of(quantity) != "ns" && !is_collective(job.pattern)) {
    if (ctas_) put(record, "ctas", *ctas_);
    if (threads_) put(record, "threads_per_cta", *threads_);
  }
  if (job.by_host) put(record, "issue", std::string_view("on_stream"));
  put(record, "memory", std::string_view("gpu"));
  found_.record(std::move(record));
}

}  // namespace gicsim::imports::detail
