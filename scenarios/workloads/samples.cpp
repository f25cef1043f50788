// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/workloads/samples.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gicsim::workloads {

Picoseconds Samples::min() const { return quantile(0); }
Picoseconds Samples::max() const { return quantile(1); }

Picoseconds Samples::quantile(double q) const {
  if (values_.empty()) throw std::logic_error("samples: a quantile of nothing");
  if (!sorted_) std::sort(values_.begin(), values_.end());
  sorted_ = true;
  const double rank = std::ceil(q * static_cast<double>(values_.size()));
  return Picoseconds{values_[static_cast<std::size_t>(std::max(rank, 1.0)) - 1]};
}

void Ledgers::add(Picoseconds value, const Ledger& headline, const Message& message) {
  if (kept_.contains(value) || (wanted_ && *wanted_ != value)) return;
  kept_.emplace(value, Kept{message.number, headline, message.delivery, message.completion});
  if (kept_.size() <= limit) return;
  if (below_ <= above_) kept_.erase(kept_.begin()), ++below_;
  else kept_.erase(std::prev(kept_.end())), ++above_;
}

const Ledgers::Kept* Ledgers::of(Picoseconds value) const {
  const auto found = kept_.find(value);
  return found == kept_.end() ? nullptr : &found->second;
}

}  // namespace gicsim::workloads
