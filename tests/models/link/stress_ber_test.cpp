// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/stress_ber.h"

#include <doctest/doctest.h>

namespace gicsim::link {
namespace {

int damaged(const StressParams& params, BitRate rate, Bytes payload, int n) {
  StressBer stress(params, rate, 1, "wire");
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += stress.damages({.payload = payload, .wire = payload + 42_B});
  return sum;
}

constexpr Probability often = Probability::steps(Probability::certain / 1000), always = Probability::steps(Probability::certain);

TEST_CASE("stress: the rate rises behind the last of enough small packets") {
  const StressParams params{.before = {}, .after = always, .packets = 100};
  StressBer stress(params, 200_Gbps, 1, "wire");
  for (int i = 0; i < 100; ++i) CHECK_FALSE(stress.damages({.payload = 8_B, .wire = 50_B}));
  CHECK(stress.damages({.payload = 8_B, .wire = 50_B}));
  CHECK(stress.damages({.payload = 4096_B, .wire = 4138_B}));
}

TEST_CASE("stress: neither large packets nor slow cables raise it") {
  CHECK(damaged({.before = {}, .after = often, .packets = 100}, 200_Gbps, 64_B, 1000) == 0);
  CHECK(damaged({.before = {}, .after = often, .packets = 100}, 100_Gbps, 8_B, 1000) == 0);
  CHECK(damaged({.before = {}, .after = often, .packets = 100}, 200_Gbps, 63_B, 1000) > 100);
}

TEST_CASE("stress: with the claim's own figures a million packets show nothing") {
  CHECK(damaged({}, 200_Gbps, 8_B, 1'000'000) == 0);
}

}  // namespace
}  // namespace gicsim::link
