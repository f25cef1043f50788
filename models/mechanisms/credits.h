// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/base/describe.h"
#include "models/mechanisms/detail/fifo.h"
#include "models/units/time.h"

namespace gicsim {

struct CreditsStats {
  Count taken = 0;
  Count given = 0;
  Count refused = 0;
  Count lowest = 0;
};
template <class V>
constexpr void describe(V&& v, CreditsStats& s) {
  v("taken", s.taken, "credits taken");
  v("given", s.given, "credits given back");
  v("refused", s.refused, "times that too few were there");
  v("lowest", s.lowest, "fewest left at once");
}
static_assert(fully_described<CreditsStats>());

/// The sender's half of credit-based flow control, or any counted resource. A credit that comes
/// back carries the time at which it will be there, so that its return costs no event.
///
/// Closed form: with `size` credits, each back `r` after it was taken, and one taken every `s` or
/// later, n takes from 0 end at (n-1) s when size * s >= r; else the n-th, counted from 0, is at
/// floor(n / size) * r + (n mod size) * s.
class Credits {
 public:
  Credits(std::string module, Count size);

  /// All `n` or none.
  /// @throws ModelError when `n` is negative or more than there will ever be
  bool take(Count n, Picoseconds now) {
    mature(now);
    if (n < 0 || n > size_) [[unlikely]]
      reject_take(n, now);
    if (n > level_) {
      ++stats_.refused;
      return false;
    }
    level_ -= n;
    stats_.taken += n;
    if (level_ < stats_.lowest) stats_.lowest = level_;
    return true;
  }

  /// `n` credits will be there from `at` on, which may lie in the future; in any order.
  /// @throws ModelError when more come back than were taken
  void give(Count n, Picoseconds at) {
    if (n < 0 || n > outstanding()) [[unlikely]]
      reject_give(n, at);
    stats_.given += n;
    if (coming_.empty() || coming_.back().at < at) {
      coming_.push_back({at, n});
    } else if (coming_.back().at == at) {
      coming_.back().n += n;
    } else {
      insert(n, at);
    }
  }

  /// The earliest time at which `n` are there if nobody takes any before: 0 when they are there
  /// already, `never` when they are still outstanding.
  Picoseconds available_at(Count n) const;

  Count available(Picoseconds now) {
    mature(now);
    return level_;
  }
  Count size() const { return size_; }
  /// Taken and not given back.
  Count outstanding() const { return stats_.taken - stats_.given; }
  const CreditsStats& stats() const { return stats_; }

 private:
  struct Return {
    Picoseconds at;
    Count n;
  };

  void mature(Picoseconds now) {
    while (!coming_.empty() && coming_.front().at <= now) level_ += coming_.pop_front().n;
  }
  void insert(Count n, Picoseconds at);
  [[noreturn]] void reject_take(Count n, Picoseconds now) const;
  [[noreturn]] void reject_give(Count n, Picoseconds at) const;

  Count size_;
  Count level_;
  detail::Fifo<Return> coming_;  ///< in order of time
  CreditsStats stats_;
  std::string module_;
};

}  // namespace gicsim
