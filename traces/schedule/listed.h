// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "traces/schedule/source.h"

namespace gicsim::schedule {

/// A schedule that is small enough to be held: a list of steps a rank. Their numbers are filled in.
class Listed final : public Source {
 public:
  explicit Listed(std::vector<std::vector<Step>> steps) : steps_(std::move(steps)), next_(steps_.size()) {
    for (std::vector<Step>& rank : steps_)
      for (std::size_t i = 0; i < rank.size(); ++i) rank[i].number = i;
  }

  std::string format() const override { return "list"; }
  std::size_t ranks() const override { return steps_.size(); }
  bool next(std::size_t rank, Step& step) override {
    if (next_[rank] == steps_[rank].size()) return false;
    step = steps_[rank][next_[rank]++];
    return true;
  }
  void rewind() override { next_.assign(steps_.size(), 0); }
  double progress() const override {
    std::size_t read = 0, all = 0;
    for (std::size_t r = 0; r < steps_.size(); ++r) read += next_[r], all += steps_[r].size();
    return all == 0 ? 1 : static_cast<double>(read) / static_cast<double>(all);
  }
  Location location(std::size_t rank, const Step& step) const override {
    return {"list of rank " + std::to_string(rank), static_cast<int>(step.number + 1), 1};
  }

 private:
  std::vector<std::vector<Step>> steps_;
  std::vector<std::size_t> next_;
};

}  // namespace gicsim::schedule
