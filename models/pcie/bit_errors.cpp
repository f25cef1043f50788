// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/bit_errors.h"

#include <algorithm>

namespace gicsim::pcie {
namespace {

/// -ln(1 - p) by its series: equal on every machine, as a library's logarithm needn't be.
double minus_log_of_rest(double p) {
  double sum = 0, power = p;
  for (int n = 1; power > 0 && n < 64; ++n, power *= p) sum += power / n;
  return sum;
}

}  // namespace

BitErrors::BitErrors(Probability bit, std::uint64_t seed, std::string_view who)
    : rate_(minus_log_of_rest(bit.value())), random_(seed, who), good_(draw()) {}

std::int64_t BitErrors::draw() {
  constexpr double most = 9e18;  // a month at 2 Tb/s holds fewer bits
  if (rate_ == 0) return static_cast<std::int64_t>(most);
  const std::uint64_t bits = random_.next();
  const double exponent = static_cast<double>(detail::minus_log(bits != 0 ? bits : 1)) * 0x1p-58;
  return static_cast<std::int64_t>(std::min(exponent / rate_, most));
}

std::int64_t BitErrors::hit(std::int64_t bits) {
  const std::int64_t first = good_;
  std::int64_t at = first;
  while (at < bits) at += 1 + draw();
  good_ = at - bits;
  return first;
}

}  // namespace gicsim::pcie
