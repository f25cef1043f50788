// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>

#include "traces/schedule/detail/program.h"

namespace gicsim::schedule {
namespace {

/// A stage: forwards until the pipeline is full, then one forward one backward, then the backwards that are left.
class Pipeline final : public Program {
 public:
  Pipeline(const Making& making, std::size_t rank) : making_(making), rank_(rank) {
    const auto layers = share_of(Bytes{static_cast<std::int64_t>(making.layers)}, rank, making.ranks).count();
    forward_ = making.compute * layers;
  }

  bool next(Step& step) override {
    if (ready_.empty() && iteration_ < making_.iterations) operation();
    if (ready_.empty()) return false;
    step = std::move(ready_.front());
    ready_.pop_front();
    return true;
  }

 private:
  struct Operation {
    bool forward;
    std::uint64_t batch;
  };
  Operation at(std::uint64_t index) const {
    const std::uint64_t batches = making_.micro_batches,
                        warm = std::min<std::uint64_t>(batches, making_.ranks - 1 - rank_);
    if (index < warm) return {true, index};
    const std::uint64_t turn = index - warm;
    if (turn >= 2 * (batches - warm)) return {false, turn - (batches - warm)};
    return {turn % 2 == 0, turn / 2 + (turn % 2 == 0 ? warm : 0)};
  }

  Step& add(Action action) {
    Step step;
    step.number = number_++;
    step.action = action;
    ready_.push_back(std::move(step));
    return ready_.back();
  }
  Step& message(Action action, std::size_t peer, const Operation& operation) {
    Step& step = add(action);
    step.peer = static_cast<std::uint32_t>(peer);
    step.bytes = making_.bytes;
    const std::uint64_t batch = iteration_ * making_.micro_batches + operation.batch;
    step.tag = static_cast<std::int64_t>((batch * 2 + (operation.forward ? 0 : 1)) & 0x3fff'ffff);
    return step;
  }

  /// A receive is posted while the calculation before goes on.
  void operation() {
    const Operation now = at(index_);
    const bool receives = now.forward ? rank_ > 0 : rank_ + 1 < making_.ranks;
    const bool sends = now.forward ? rank_ + 1 < making_.ranks : rank_ > 0;
    std::optional<std::uint64_t> received;
    if (receives) {
      Step& step = message(Action::recv, now.forward ? rank_ - 1 : rank_ + 1, now);
      if (calculated_) step.needs.push_back({*calculated_, Need::Until::started});
      received = step.number;
    }
    Step& calc = add(Action::calc);
    calc.time = now.forward ? forward_ : 2 * forward_;
    calc.name = now.forward ? "forward" : "backward";
    if (calculated_) calc.needs.push_back({*calculated_, Need::Until::ended});
    if (received) calc.needs.push_back({*received, Need::Until::ended});
    calculated_ = calc.number;
    if (sends)
      message(Action::send, now.forward ? rank_ + 1 : rank_ - 1, now)
          .needs.push_back({*calculated_, Need::Until::ended});
    if (++index_ < 2 * making_.micro_batches) return;
    index_ = 0;
    ++iteration_;
  }

  Making making_;
  std::size_t rank_;
  Picoseconds forward_{};
  std::uint64_t iteration_ = 0, index_ = 0, number_ = 0;
  std::optional<std::uint64_t> calculated_;
  std::deque<Step> ready_;
};

}  // namespace

std::unique_ptr<Program> pipeline_program(const Making& making, std::size_t rank) {
  return std::make_unique<Pipeline>(making, rank);
}

}  // namespace gicsim::schedule
