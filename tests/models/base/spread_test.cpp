// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/spread.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gicsim {
namespace {

Spread phases(std::uint64_t seed) {
  Spread spread;
  spread.params.poll_phase = true;
  spread.seed = seed;
  return spread;
}

std::vector<Picoseconds> drawn(std::uint64_t seed, const char* who, Picoseconds turn, int n) {
  PollPhase phase(phases(seed), who);
  std::vector<Picoseconds> all;
  for (int i = 0; i < n; ++i) all.push_back(phase.until_sample(turn));
  return all;
}

TEST_CASE("spread: nothing is on by default, and a poller's sample is in the middle") {
  CHECK_FALSE(SpreadParams{}.any());
  PollPhase phase({}, "node0.gpu0.thread0");
  for (const Picoseconds turn : {320'000_ps, 321_ps, 0_ps}) CHECK(phase.until_sample(turn) == turn / 2);
}

TEST_CASE("spread: samples fill one turn of the loop, and their mean is its middle") {
  constexpr int n = 100'000;
  const Picoseconds turn = 162'437_ps;
  std::vector<Picoseconds> all = drawn(1, "t", turn, n);
  double sum = 0;
  for (const Picoseconds at : all) sum += static_cast<double>(at.count());
  const double half = static_cast<double>(turn.count()) / 2;
  const double deviation = static_cast<double>(turn.count()) / std::sqrt(12.0 * n);
  CHECK(std::abs(sum / n - half) < 4 * deviation);
  std::sort(all.begin(), all.end());
  CHECK(all.front() >= 0ns);
  CHECK(all.front() < turn / 1000);
  CHECK(all.back() <= turn);
  CHECK(all.back() > turn - turn / 1000);
  // A tenth of them in each tenth: 1.96 deviations of a binomial are 186.
  for (int tenth = 1; tenth < 10; ++tenth) {
    const auto below = std::lower_bound(all.begin(), all.end(), turn * tenth / 10) - all.begin();
    CHECK(std::abs(below - n / 10 * tenth) < 700);
  }
}

TEST_CASE("spread: pollers draw their own numbers, again the same from the same seed") {
  CHECK(drawn(1, "a", 1us, 100) == drawn(1, "a", 1us, 100));
  CHECK(drawn(1, "a", 1us, 100) != drawn(1, "b", 1us, 100));
  CHECK(drawn(1, "a", 1us, 100) != drawn(2, "a", 1us, 100));
}

}  // namespace
}  // namespace gicsim
