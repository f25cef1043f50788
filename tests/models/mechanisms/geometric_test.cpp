// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/geometric.h"

#include <doctest/doctest.h>

#include <cmath>

namespace gicsim {
namespace {

Probability chance(double p) { return Probability::steps(std::llround(p * 1e18)); }

TEST_CASE("geometric: (1 - p) / p misses on average, for rare hits and for rare misses") {
  for (const double p : {1e-12, 1e-3, 0.1, 0.5, 0.9, 0.999}) {
    CAPTURE(p);
    RandomStream random(1, "misses");
    const Geometric misses(chance(p));
    const int n = 200'000;
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += static_cast<double>(misses.draw(random));
    const double mean = (1 - p) / p, deviation = std::sqrt(1 - p) / p;
    CHECK(std::abs(sum / n - mean) < 4 * deviation / std::sqrt(n));
  }
}

TEST_CASE("geometric: none misses what is certain, all what is impossible, and neither draws") {
  RandomStream random(1, "misses"), untouched(1, "misses");
  CHECK(Geometric(chance(1)).draw(random) == 0);
  CHECK(Geometric(chance(0)).draw(random) == Geometric::never);
  CHECK(random.next() == untouched.next());
}

}  // namespace
}  // namespace gicsim
