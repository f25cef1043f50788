// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "models/base/describe.h"
#include "models/base/errors.h"
#include "models/mechanisms/detail/fifo.h"
#include "models/units/text.h"
#include "models/units/time.h"

namespace gicsim {

struct DelayLineStats {
  Count pushed = 0;
  Count popped = 0;
  Count most = 0;
};
template <class V>
constexpr void describe(V&& v, DelayLineStats& s) {
  v("pushed", s.pushed, "items sent on their way");
  v("popped", s.popped, "items arrived");
  v("most", s.most, "most items under way at once");
}
static_assert(fully_described<DelayLineStats>());

/// What is under way: a cable, a pipeline. Items arrive in the order in which they left; one
/// handler may take out all that are due, or one an event.
///
/// Closed form: with one item every `s` and a flight of `f`, ceil(f / s) are under way.
template <class T>
class DelayLine {
 public:
  explicit DelayLine(std::string module) : module_(std::move(module)) {}

  /// @throws ModelError when `arrive_at` is earlier than the item before
  void push(const T& item, Picoseconds arrive_at) { next(arrive_at) = item; }
  void push(T&& item, Picoseconds arrive_at) { next(arrive_at) = std::move(item); }

  /// The next item, if it has arrived.
  std::optional<T> pop_due(Picoseconds now) {
    if (items_.empty() || items_.front().at > now) return std::nullopt;
    ++stats_.popped;
    return std::move(items_.pop_front().item);
  }

  /// The item that left last.
  const T& back() { return items_.back().item; }
  /// It doesn't arrive after all.
  T take_back() {
    --stats_.pushed;
    return std::move(items_.pop_back().item);
  }

  /// When the next item arrives; nothing when none is under way.
  std::optional<Picoseconds> next_due() const {
    if (items_.empty()) return std::nullopt;
    return items_.front().at;
  }
  Count size() const { return static_cast<Count>(items_.size()); }
  bool empty() const { return items_.empty(); }
  const DelayLineStats& stats() const { return stats_; }

 private:
  struct Flying {
    T item;
    Picoseconds at;
  };

  /// Items are copied once, into their place: packets are large and cross many lines.
  T& next(Picoseconds arrive_at) {
    if (!items_.empty() && arrive_at < items_.back().at) [[unlikely]]
      throw ModelError(module_, arrive_at,
                       "arrives before the item ahead of it, at " + text::write(items_.back().at));
    Flying& flying = items_.next_back();
    flying.at = arrive_at;
    ++stats_.pushed;
    if (size() > stats_.most) stats_.most = size();
    return flying.item;
  }

  detail::Fifo<Flying> items_;
  DelayLineStats stats_;
  std::string module_;
};

}  // namespace gicsim
