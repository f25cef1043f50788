// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "models/units/time.h"

namespace gicsim::exports {

/// Puts in order of time what senders announce when they give it its time on the lanes, which may be a while ahead.
/// Whatever is announced from `now` on is of `now` or later.
template <class T>
class Ahead {
 public:
  void add(Picoseconds at, T what) { queue_.push({at, order_++, std::move(what)}); }
  /// Calls take(what) for all before `now`, in order; of one instant as they were announced.
  template <class Take>
  void before(Picoseconds now, Take&& take) {
    for (; !queue_.empty() && queue_.top().at < now; queue_.pop()) take(queue_.top().what);
  }
  void clear() { *this = {}; }

 private:
  struct One {
    Picoseconds at;
    std::uint64_t order;
    T what;
    bool operator<(const One& other) const {  // a priority_queue's top is its greatest
      return at != other.at ? at > other.at : order > other.order;
    }
  };
  std::priority_queue<One> queue_;
  std::uint64_t order_ = 0;
};

}  // namespace gicsim::exports
