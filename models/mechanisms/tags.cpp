// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/tags.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/base/errors.h"

namespace gicsim {

Tags::Tags(std::string module, Count size)
    : size_(size), free_(static_cast<std::size_t>((size + 63) / 64)), module_(std::move(module)) {
  for (Count tag = 0; tag < size; ++tag)
    free_[static_cast<std::size_t>(tag / 64)] |= std::uint64_t{1} << (tag % 64);
}

void Tags::account(Picoseconds now) {
  stats_.held += (now - accounted_) * in_use_;
  accounted_ = now;
}

std::optional<Tags::Tag> Tags::take(Picoseconds now) {
  if (in_use_ == size_) {
    ++stats_.refused;
    return std::nullopt;
  }
  account(now);
  while (free_[first_] == 0) ++first_;
  std::uint64_t& word = free_[first_];
  const auto tag = static_cast<Tag>(first_ * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  word &= word - 1;
  ++stats_.taken;
  stats_.most = std::max(stats_.most, ++in_use_);
  return tag;
}

void Tags::give(Tag tag, Picoseconds now) {
  const std::size_t word = tag / 64;
  const std::uint64_t bit = std::uint64_t{1} << (tag % 64);
  if (tag >= size_ || (free_[word] & bit) != 0)
    throw ModelError(module_, now, "tag " + std::to_string(tag) + " comes back but is not in use");
  account(now);
  free_[word] |= bit;
  first_ = std::min(first_, word);
  --in_use_;
}

}  // namespace gicsim
