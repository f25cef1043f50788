// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "traces/profile/detail/nccl_file.h"

namespace gicsim::profile::detail {
namespace {

constexpr std::int64_t us_in_ns = 1000;
constexpr std::int64_t most_us = 50LL * 86'400 * 1'000'000;

/// One JSON object a collective.
class Inspector final : public Calls {
 public:
  Inspector(const std::string& file, std::shared_ptr<Common> common)
      : in_(file),
        items_(std::make_unique<stream::Items>(in_, stream::Items::Of::values)),
        common_(std::move(common)) {}

  bool next(Call& call) override {
    for (stream::Item item; items_->next(item);)
      if (take(item, call)) return true;
    return false;
  }
  void rewind() override {
    in_.rewind();
    items_ = std::make_unique<stream::Items>(in_, stream::Items::Of::values);
  }
  double progress() const override { return in_.progress(); }
  const std::string& file() const override { return in_.file(); }

 private:
  bool take(const stream::Item& item, Call& call) {
    const stream::Value record = items_->parse(item);
    const stream::Value *header = record.find("header"), *metadata = record.find("metadata");
    const stream::Value *collective = record.find("coll_perf"), *message = record.find("p2p_perf");
    if (!header || (!collective && !message)) {
      common_->unused.add("records that are neither coll_perf nor p2p_perf", item.at);
      return false;
    }
    const stream::Value& perf = collective ? *collective : *message;
    const std::string prefix = collective ? "coll" : "p2p";
    const auto time = stream::integer_of(perf, prefix + "_exec_time_us");
    if (!time || *time < 0 || *time > most_us)
      in_.fail(item.at, prefix + "_exec_time_us: no time, or none that can be");
    call.communicator = stream::word_of(*header, "id");
    call.rank = stream::integer_of(*header, "rank").value_or(0);
    call.ranks = stream::integer_of(*header, "n_ranks");
    call.what = stream::word_of(perf, prefix);
    call.bytes = stream::integer_of(perf, prefix + "_msg_size_bytes");
    if (call.bytes && (*call.bytes < 0 || *call.bytes > std::int64_t{1} << 50)) call.bytes = std::nullopt;
    call.peer = stream::integer_of(perf, prefix + "_peer");
    call.length = *time * us_in_ns;
    call.place = item.at;
    if (metadata) call.host = stream::word_of(*metadata, "hostname");
    if (const stream::Value* times = perf.find("event_trace_ts")) call.begin = begin_in(*times, prefix);
    return true;
  }

  /// When the first of its kernels began, else when it was called.
  static std::optional<std::int64_t> begin_in(const stream::Value& times, const std::string& prefix) {
    std::optional<std::int64_t> begin;
    if (const stream::Value* kernels = times.find("kernel_events"))
      for (const stream::Value& kernel : kernels->values)
        if (const auto us = stream::integer_of(kernel, "kernel_start_ts"); us && *us > 0)
          begin = std::min(begin.value_or(*us), *us);
    if (!begin) begin = stream::integer_of(times, prefix + "_start_ts");
    if (!begin || *begin <= 0 || *begin > std::int64_t{1} << 52) return std::nullopt;
    return *begin * us_in_ns;
  }

  stream::Input in_;
  std::unique_ptr<stream::Items> items_;
  std::shared_ptr<Common> common_;
};

}  // namespace

std::unique_ptr<Calls> inspector_calls(const std::string& file, std::shared_ptr<Common> common) {
  return std::make_unique<Inspector>(file, std::move(common));
}

}  // namespace gicsim::profile::detail
