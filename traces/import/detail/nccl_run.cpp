// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/nccl_run.h"

#include <fmt/format.h>

#include <array>

namespace gicsim::imports::detail {
namespace {

constexpr std::array<std::pair<std::string_view, Pattern>, 9> collectives{{{"all_reduce", Pattern::all_reduce},
                                                                           {"all_gather", Pattern::all_gather},
                                                                           {"reduce_scatter", Pattern::reduce_scatter},
                                                                           {"alltoall", Pattern::all_to_all},
                                                                           {"broadcast", Pattern::broadcast},
                                                                           {"sendrecv", Pattern::send_recv},
                                                                           {"gather", Pattern::gather},
                                                                           {"scatter", Pattern::scatter},
                                                                           {"reduce", Pattern::reduce}}};

}  // namespace

std::optional<Pattern> nccl_collective(std::string_view name) {
  if (ends(name, "_perf")) name.remove_suffix(5);
  name = name.substr(name.rfind('/') + 1);
  for (const auto& [known, pattern] : collectives)
    if (name == known) return pattern;
  return std::nullopt;
}

std::string_view nccl_name(Pattern pattern) {
  for (const auto& [name, known] : collectives)
    if (pattern == known) return name;
  return {};
}

int nccl_type_size(std::string_view type) {
  if (type == "int8" || type == "uint8" || type == "char" || has(type, "f8") || begins(type, "fp8")) return 1;
  if (type == "half" || type == "bfloat16" || type == "float16") return 2;
  if (type == "float" || type == "int32" || type == "uint32" || type == "int") return 4;
  return type == "double" || type == "int64" || type == "uint64" ? 8 : 0;
}

bool NcclRun::knows(int line, Found& found) {
  if (!collective) collective = found.said().pattern;
  if (!collective)
    found.mistake(line, 1,
                  "which collective is this? No line above names its program (all_reduce_perf); give "
                  "--pattern all_reduce, or the line that started it");
  return collective.has_value();
}

void NcclRun::give(int line, const Row& row, const NcclHalf& half, bool in_place, Found& found) const {
  if (half.wrong) return found.leave(line, "figures of a run whose result was wrong (#wrong)");
  const auto one = [&](Quantity quantity, double value, std::string_view printed) {
    Record record = measured(*collective, Path::cpu_proxy, quantity, value,
                             fmt::format("nccl-tests{}{} {}_perf, {}; NCCL doesn't say what initiates",
                                         version.empty() ? "" : " ", version, nccl_name(*collective), printed));
    record.n = iterations;
    put(record, "bytes", row.bytes);
    if (ranks > 0) put(record, "ranks", ranks);
    put(record, "type", std::string_view(row.type));
    if (!row.redop.empty() && row.redop != "none") put(record, "redop", std::string_view(row.redop));
    if (!row.root.empty() && row.root != "-1") put(record, "root", std::string_view(row.root));
    put(record, "placement", std::string_view(in_place ? "in_place" : "out_of_place"));
    put(record, "memory", std::string_view("gpu"));
    return record;
  };
  const auto ns = [](const std::optional<double>& us) { return us ? std::optional(*us * 1000) : std::nullopt; };
  if (half.time_us) {
    Record record = one(Quantity::latency, *half.time_us * 1000, "mean time in us, one collective");
    record.min = ns(half.min_us);
    record.max = ns(half.max_us);
    record.p50 = ns(half.p50_us);
    record.p99 = ns(half.p99_us);
    found.record(std::move(record));
  }
  const auto rate = [&](Quantity quantity, const std::optional<double>& value, std::string_view name) {
    if (!value) return;
    if (*value == 0) return found.leave(line, fmt::format("{} of 0: below what is printed", name));
    found.record(one(quantity, *value, fmt::format("{} in GB/s (10^9 B/s)", name)));
  };
  rate(Quantity::bandwidth, half.algbw, "algbw");
  rate(Quantity::bus_bandwidth, half.busbw, "busbw");
}

}  // namespace gicsim::imports::detail
