// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/files.h"
#include "traces/schedule/source.h"

namespace gicsim::schedule {

using Steps = std::vector<Step>;

/// Steps that are there already.
class Given final : public Source {
 public:
  explicit Given(std::vector<Steps> all) : all_(std::move(all)), at_(all_.size()) {}
  std::string format() const override { return "given"; }
  std::size_t ranks() const override { return all_.size(); }
  bool next(std::size_t rank, Step& step) override {
    if (at_[rank] == all_[rank].size()) return false;
    step = all_[rank][at_[rank]++];
    return true;
  }
  void rewind() override { at_.assign(all_.size(), 0); }
  std::vector<std::string> hosts() const override { return hosts_; }
  double progress() const override { return 1; }
  Location location(std::size_t, const Step&) const override { return {}; }
  std::vector<std::string> hosts_;

 private:
  std::vector<Steps> all_;
  std::vector<std::size_t> at_;
};

/// All steps of a source; where they stood is left out.
inline std::vector<Steps> all_of(Source& source) {
  std::vector<Steps> all(source.ranks());
  Step step;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    while (source.next(rank, step)) {
      step.place = 0;
      all[rank].push_back(step);
    }
  return all;
}

/// Whatever a schedule can hold, and no sense. @param everything  else what GOAL can say
inline std::vector<Steps> random_steps(unsigned seed, std::size_t ranks, std::size_t most, bool everything) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<Steps> all(ranks);
  for (Steps& steps : all) {
    steps.resize(below(most + 1));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      Step& step = steps[i];
      step.number = i;
      step.action = static_cast<Action>(below(everything ? 7 : 3));
      step.lane = static_cast<std::uint32_t>(below(4) * below(64));
      if (step.action == Action::calc) {
        step.time = Picoseconds{static_cast<std::int64_t>(below(1'000'000)) * (everything ? 1 : 1000)};
      } else {
        const bool any = step.action == Action::recv && below(4) == 0;
        step.peer = any ? any_rank : static_cast<std::uint32_t>(below(ranks));
        step.bytes = Bytes{static_cast<std::int64_t>(below(1 << 20))};
        if (step.action == Action::send || step.action == Action::recv)
          step.tag = static_cast<std::int64_t>(below(100));
        if (step.action == Action::recv && below(4) == 0) step.tag = any_tag;
      }
      for (std::size_t n = below(4), behind = i; n > 0 && behind > 0; --n)
        step.needs.push_back({below(behind), below(2) == 0 ? Need::Until::ended : Need::Until::started});
      if (below(5) == 0 && i + 2 < steps.size()) step.needs.push_back({i + 1 + below(steps.size() - i - 1), {}});
      if (!everything) continue;
      step.gap = Picoseconds{static_cast<std::int64_t>(below(3) * below(1000))};
      if (below(2) == 0) step.began = Picoseconds{static_cast<std::int64_t>(below(1'000'000))};
      if (below(2) == 0) step.ended = Picoseconds{static_cast<std::int64_t>(below(1'000'000))};
      if (below(3) == 0) step.name = "a \"kernel\" \xe2\x82\xac\n" + std::to_string(i);
      for (Need& need : step.needs) need.until = static_cast<Need::Until>(below(3));
    }
  }
  return all;
}

}  // namespace gicsim::schedule
