// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "traces/schedule/step.h"

namespace gicsim::fabric {

/// Begins of flows as steps have them: each is told from the one before it of the same rank, so that a schedule of them
/// is a chain. One that is out of order counts from the beginning.
class Begins {
 public:
  void set(std::size_t rank, std::uint64_t number, Picoseconds at, schedule::Step& step) {
    step.began = at;
    Last& last = last_[rank];
    if (last.any && last.at <= at) {
      step.needs.push_back({last.number, schedule::Need::Until::started});
      step.gap = at - last.at;
    } else {
      step.gap = at;
    }
    last = {true, number, at};
  }
  void clear() { last_.clear(); }

 private:
  struct Last {
    bool any = false;
    std::uint64_t number = 0;
    Picoseconds at{};
  };
  std::unordered_map<std::size_t, Last> last_;
};

}  // namespace gicsim::fabric
