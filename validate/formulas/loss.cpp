// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/formulas/loss.h"

#include <cmath>

namespace gicsim::formulas {
namespace {

struct Code {
  int symbols, correctable;
};

/// IEEE 802.3, 91.5.2.7 and 119.2.4.6; written down anew, as the models' own table is what is checked.
Code code(link::FecCode code) {
  return code == link::FecCode::rs528_514 ? Code{528, 7} : Code{544, 15};
}

double ps(Picoseconds t) { return static_cast<double>(t.count()); }

}  // namespace

Bursts bursts(const link::BurstParams& params) {
  const double p = params.to_bad.value(), r = params.to_good.value();
  const double lg = params.loss_good.value(), lb = params.loss_bad.value();
  Bursts b;
  b.bad = p + r > 0 ? p / (p + r) : 0;
  b.stay = r > 0 ? 1 / r : INFINITY;
  b.loss = (1 - b.bad) * lg + b.bad * lb;
  const double kept_after_good = (1 - p) * (1 - lg) + p * (1 - lb);
  const double kept_after_bad = r * (1 - lg) + (1 - r) * (1 - lb);
  const double ends = (1 - b.bad) * lg * kept_after_good + b.bad * lb * kept_after_bad;
  b.lost_in_row = ends > 0 ? b.loss / ends : INFINITY;
  return b;
}

double symbol_error(double raw_ber) { return -std::expm1(10 * std::log1p(-raw_ber)); }

double uncorrectable(link::FecCode which, double raw_ber) {
  const auto [n, t] = code(which);
  const double p = symbol_error(raw_ber);
  if (p == 0) return 0;
  if (p == 1) return 1;
  const auto term = [&](int i) {
    const double log_choose = std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0);
    return std::exp(log_choose + i * std::log(p) + (n - i) * std::log1p(-p));
  };
  double sum = 0;
  for (int i = n; i > t; --i) sum += term(i);
  return sum;
}

/// A group of interleaved codewords spans `interleave` times 640 B of what the MAC gives; on average a packet has a
/// part in 1 + (bits - 1) / span of them.
double packet_damaged(const link::FecParams& params, Bytes wire) {
  const double bits = static_cast<double>(wire.count()) * 8;
  if (params.code == link::FecCode::none) return -std::expm1(bits * std::log1p(-params.raw_ber.value()));
  const double span = 5120.0 * static_cast<double>(params.interleave);
  const double group_good = std::pow(1 - uncorrectable(params.code, params.raw_ber.value()),
                                     static_cast<double>(params.interleave));
  const double whole = std::floor((bits - 1) / span), rest = (bits - 1) / span - whole;
  return 1 - (1 - rest) * std::pow(group_good, whole + 1) - rest * std::pow(group_good, whole + 2);
}

double LinkRetry::picoseconds_per_packet(double p) const { return ps(packet) + p / (1 - p) * (ps(again) + ps(packet)); }

LinkRetry link_retry(const link::RetryParams& params, BitRate rate, Picoseconds one_way, Bytes wire) {
  const Picoseconds cell = params.cell / rate;
  return {wire / rate, (2 * one_way + cell + cell - 1_ps) / cell * cell};
}

}  // namespace gicsim::formulas
