// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/nvbandwidth_test.h"

#include <fmt/format.h>

namespace gicsim::imports::detail {
namespace {

struct Kind {
  Pattern pattern;
  Path path;
  std::string_view key, value;  ///< in `where`
};

/// A copy engine's copy, or what SMs do: loads from the host, stores to it, loads from a peer, stores to it.
Kind kind_of(std::string_view name) {
  const bool to_host = has(name, "device_to_host") || has(name, "all_to_host");
  const bool from_host = has(name, "host_to_device") || has(name, "host_to_all") || has(name, "host_device");
  if (ends(name, "_ce"))
    return {Pattern::copy_engine, Path::none, "direction", to_host ? "d2h" : from_host ? "h2d" : "d2d"};
  if (to_host) return {Pattern::host_store, Path::none, "engine", "sm"};
  if (from_host) return {Pattern::host_load, Path::none, "engine", "sm"};
  if (has(name, "latency")) return {Pattern::get, Path::gpu_direct, "engine", "sm"};
  return {Pattern::put_bw, Path::gpu_direct, "verb", has(name, "read") ? "get" : "put"};
}

}  // namespace

NvbandwidthTest::NvbandwidthTest(std::string name, std::string_view description, const std::string& version)
    : name_(std::move(name)), description_(description), version_(version) {
  const std::size_t open = description_.rfind('('), close = description_.rfind(')');
  if (open != std::string::npos && close != std::string::npos && close > open)
    unit_ = description_.substr(open + 1, close - open - 1);
}

void NvbandwidthTest::give(int line, std::int64_t row, std::int64_t column, const Cell& cell, Found& found) const {
  double factor = 1;
  Quantity quantity = Quantity::bandwidth;
  if (unit_ == "ns" || unit_ == "us") {
    quantity = Quantity::latency;
    factor = unit_ == "us" ? 1000 : 1;
  } else if (unit_ != "GB/s") {
    return found.leave(line, fmt::format("{}: a figure in '{}'; GB/s, ns and us are known", name_, unit_));
  }
  if (has(name_, "device_local_copy"))
    return found.leave(line, "device_local_copy: no pattern of ours, it stays on one GPU");
  const auto value = found.figure(line, cell, name_);
  if (!value) return;
  if (*value == 0) return found.leave(line, fmt::format("{}: 0.00, not measured", name_));
  const Kind kind = kind_of(name_);
  Record record = measured(kind.pattern, kind.path, quantity, *value * factor,
                           fmt::format("nvbandwidth{}{} {}, {}", version_.empty() ? "" : " ", version_, name_,
                                       quantity == Quantity::latency ? fmt::format("one access in {}", unit_)
                                                                     : "median or mean in GB/s (10^9 B/s)"));
  put(record, "test", std::string_view(name_));
  put(record, kind.key, kind.value);
  if (has(name_, "bidirectional")) put(record, "bidirectional", std::string_view("yes"));
  put(record, "row", row);
  put(record, "column", column);
  put(record, "matrix", trimmed(std::string_view(description_).substr(0, description_.rfind('('))));
  found.record(std::move(record));
}

}  // namespace gicsim::imports::detail
