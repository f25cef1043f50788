// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "models/base/describe.h"
#include "models/mechanisms/detail/fifo.h"
#include "models/units/time.h"

namespace gicsim {

struct RingStats {
  Count pushed = 0;
  Count popped = 0;
  Count refused = 0;
  Count most = 0;
};
template <class V>
constexpr void describe(V&& v, RingStats& s) {
  v("pushed", s.pushed, "entries taken in");
  v("popped", s.popped, "entries given out");
  v("refused", s.refused, "entries turned away because it was full");
  v("most", s.most, "most entries held at once");
}
static_assert(fully_described<RingStats>());

/// A hardware queue of fixed depth, first in first out; it refuses when it is full. Memory
/// follows what it holds, not its depth.
///
/// Closed form: pushed = popped + size, and size <= capacity at all times.
template <class T>
class Ring {
 public:
  explicit Ring(Count capacity) : capacity_(static_cast<std::size_t>(capacity)) {}

  bool push(T item) {
    if (full()) {
      ++stats_.refused;
      return false;
    }
    items_.push_back(std::move(item));
    ++stats_.pushed;
    if (size() > stats_.most) stats_.most = size();
    return true;
  }
  std::optional<T> pop() {
    if (items_.empty()) return std::nullopt;
    ++stats_.popped;
    return items_.pop_front();
  }

  T* front() { return items_.empty() ? nullptr : &items_.front(); }
  const T* front() const { return items_.empty() ? nullptr : &items_.front(); }
  /// The i-th oldest; i < size().
  const T& operator[](Count i) const { return items_[static_cast<std::size_t>(i)]; }

  Count size() const { return static_cast<Count>(items_.size()); }
  Count capacity() const { return static_cast<Count>(capacity_); }
  Count room() const { return capacity() - size(); }
  bool empty() const { return items_.empty(); }
  bool full() const { return items_.size() >= capacity_; }
  const RingStats& stats() const { return stats_; }

 private:
  detail::Fifo<T> items_;
  std::size_t capacity_;
  RingStats stats_;
};

}  // namespace gicsim
