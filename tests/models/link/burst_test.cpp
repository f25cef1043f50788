// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/burst.h"

#include <doctest/doctest.h>

#include <vector>

namespace gicsim::link {
namespace {

constexpr Probability share(std::int64_t n, std::int64_t of) { return Probability::steps(Probability::certain / of * n); }

std::vector<bool> history(const BurstParams& params, int n, std::uint64_t seed = 1) {
  Burst burst(params, seed, "wire");
  std::vector<bool> lost;
  for (int i = 0; i < n; ++i) lost.push_back(burst.takes());
  return lost;
}

TEST_CASE("burst: a cable that turns bad at once and stays so loses all but the first packet") {
  const auto lost = history({.to_bad = share(1, 1), .to_good = {}}, 100);
  CHECK_FALSE(lost[0]);
  for (std::size_t i = 1; i < lost.size(); ++i) CHECK(lost[i]);
}

TEST_CASE("burst: with certain steps it alternates") {
  const auto lost = history({.to_bad = share(1, 1), .to_good = share(1, 1)}, 10);
  for (std::size_t i = 0; i < lost.size(); ++i) CHECK(lost[i] == (i % 2 == 1));
}

TEST_CASE("burst: what a good cable loses doesn't need a bad one") {
  Burst burst({.to_bad = {}, .loss_good = share(1, 10)}, 1, "wire");
  for (int i = 0; i < 100'000; ++i) burst.takes();
  CHECK(burst.stats().bursts == 0);
  CHECK(burst.stats().lost == doctest::Approx(10'000).epsilon(0.04));
}

TEST_CASE("burst: the seed decides, and the wire's name") {
  const BurstParams params{.to_bad = share(1, 100)};
  CHECK(history(params, 10'000) == history(params, 10'000));
  CHECK(history(params, 10'000, 1) != history(params, 10'000, 2));
}

}  // namespace
}  // namespace gicsim::link
