// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/credits.h"

#include <utility>

#include "models/base/errors.h"

namespace gicsim {

Credits::Credits(std::string module, Count size)
    : size_(size), level_(size), module_(std::move(module)) {
  stats_.lowest = size;
}

Picoseconds Credits::available_at(Count n) const {
  Count level = level_;
  if (level >= n) return Picoseconds{0};
  for (std::size_t i = 0; i < coming_.size(); ++i) {
    level += coming_[i].n;
    if (level >= n) return coming_[i].at;
  }
  return Picoseconds::max();
}

void Credits::insert(Count n, Picoseconds at) {
  std::size_t i = coming_.size();
  coming_.push_back({at, n});
  for (; i > 0 && coming_[i - 1].at > at; --i) std::swap(coming_[i - 1], coming_[i]);
}

void Credits::reject_take(Count n, Picoseconds now) const {
  throw ModelError(module_, now,
                   "credits " + std::to_string(level_) + " -> " + std::to_string(level_ - n) +
                       " of " + std::to_string(size_));
}

void Credits::reject_give(Count n, Picoseconds at) const {
  const Count now = size_ - outstanding();
  throw ModelError(module_, at,
                   "credits " + std::to_string(now) + " -> " + std::to_string(now + n) + " of " +
                       std::to_string(size_));
}

}  // namespace gicsim
