// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>

#include "traces/schedule/source.h"

namespace gicsim::schedule {

/// A source whose file has the steps of all ranks mixed. Those of ranks that aren't asked yet wait, `look_ahead` of
/// them.
class Interleaved : public Source {
 public:
  explicit Interleaved(std::size_t look_ahead) : look_ahead_(look_ahead) {}
  bool next(std::size_t rank, Step& step) final {
    asked_ = rank;
    Rank& of = by_rank_[rank];
    while (of.waiting.empty() && read_on()) {
    }
    if (of.waiting.empty()) return false;
    step = std::move(of.waiting.front());
    of.waiting.pop_front();
    --waiting_;
    return true;
  }
  void rewind() final {
    by_rank_.clear();
    waiting_ = 0;
    begin_again();
  }

 protected:
  /// Reads a piece of the file. @return false: there is no more
  virtual bool read_on() = 0;
  virtual void begin_again() = 0;
  /// Of a rank whose next step is further away than may wait.
  [[noreturn]] virtual void fail_apart(std::size_t rank, std::size_t look_ahead) = 0;

  std::uint64_t given(std::size_t rank) { return by_rank_[rank].given; }
  /// The rank's next step; its number is set here.
  void give(std::size_t rank, Step step) {
    if (rank != asked_ && waiting_ >= look_ahead_) fail_apart(asked_, look_ahead_);
    Rank& of = by_rank_[rank];
    step.number = of.given++;
    of.waiting.push_back(std::move(step));
    ++waiting_;
  }

 private:
  struct Rank {
    std::uint64_t given = 0;
    std::deque<Step> waiting;
  };
  std::size_t look_ahead_, waiting_ = 0, asked_ = 0;
  std::unordered_map<std::size_t, Rank> by_rank_;
};

}  // namespace gicsim::schedule
