// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/geometric.h"

#include <algorithm>

namespace gicsim {
namespace {

double unit(std::uint64_t minus_log) { return static_cast<double>(minus_log) * 0x1p-58; }

/// -ln(1 - p), equal on every machine, as a library's logarithm needn't be: by its series where p is small, by the
/// logarithm in integers where 1 - p is.
double minus_log_of_rest(Probability p) {
  if (p.value() > 0.5) {
    const auto rest = static_cast<detail::UnsignedWide>(Probability::certain - p.raw()) << 64;
    const auto scaled = static_cast<std::uint64_t>(rest / static_cast<detail::UnsignedWide>(Probability::certain));
    return unit(detail::minus_log(scaled != 0 ? scaled : 1));
  }
  double sum = 0, power = p.value();
  for (int n = 1; power > 0 && n < 64; ++n, power *= p.value()) sum += power / n;
  return sum;
}

}  // namespace

Geometric::Geometric(Probability p) : rate_(p.raw() == Probability::certain ? -1 : minus_log_of_rest(p)) {}

std::int64_t Geometric::draw(RandomStream& random) const {
  if (rate_ <= 0) return rate_ == 0 ? never : 0;
  const std::uint64_t bits = random.next();
  return static_cast<std::int64_t>(
      std::min(unit(detail::minus_log(bits != 0 ? bits : 1)) / rate_, static_cast<double>(never)));
}

}  // namespace gicsim
