// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/crossing.h"

#include <doctest/doctest.h>

#include <cmath>

namespace gicsim {
namespace {

Spread on() {
  Spread spread;
  spread.params.clock_crossing = true;
  spread.seed = 7;
  return spread;
}

TEST_CASE("crossing: off, everything comes when it is due") {
  Crossing none, off(1_GHz, {}, "x");
  CHECK(none(0ns, 150ns) == 150ns);
  CHECK(off(0ns, 150ns) == 150ns);
}

TEST_CASE("crossing: half a cycle around the due time, on average at it") {
  Crossing crossing(1_GHz, on(), "nic0.bus");
  constexpr int n = 20'000;
  double sum = 0;
  for (int i = 1; i <= n; ++i) {
    const Picoseconds due = i * 10ns, at = crossing(due - 5ns, due);
    REQUIRE(at >= due - 500_ps);
    REQUIRE(at <= due + 500_ps);
    sum += static_cast<double>((at - due).count());
  }
  CHECK(std::abs(sum / n) < 4 * 1000 / std::sqrt(12.0 * n));
}

TEST_CASE("crossing: what comes close together keeps its order, and nothing comes before it could") {
  Crossing crossing(500_MHz, on(), "switch0.core");
  Picoseconds last{};
  for (int i = 0; i < 1000; ++i) {
    const Picoseconds now = i * 100_ps, at = crossing(now, now + 300_ps);
    CHECK(at >= last);
    CHECK(at >= now);
    last = at;
  }
}

}  // namespace
}  // namespace gicsim
