// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/fec.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace gicsim::link {
namespace {

Probability chance(double p) { return Probability::steps(std::llround(p * 1e18)); }

/// Packets of `wire` bytes back to back at 400 Gb/s, from the first bit of a codeword on. @return which are damaged
std::vector<bool> stream(Fec& fec, Bytes wire, int n) {
  std::vector<bool> damaged;
  for (int i = 0; i < n; ++i) damaged.push_back(fec.damages({(wire * i) / 400_Gbps, (wire * (i + 1)) / 400_Gbps}, wire));
  return damaged;
}

TEST_CASE("fec: latency is what the codewords take to fill, to decode, and PCS with SerDes") {
  FecParams params{.code = FecCode::rs544_514};
  CHECK(fec_latency(params, 200_Gbps) == 67ns);  // as A-020 has it
  CHECK(fec_latency(params, 400_Gbps) == 12'800_ps + 26'400_ps + 15ns);
  params.interleave = 2;
  CHECK(fec_latency(params, 400_Gbps) == 67ns);
  params.code = FecCode::rs528_514;
  CHECK(fec_latency(params, 400_Gbps) == 67ns);  // as many bits of the MAC's
  params.code = FecCode::none;
  CHECK(fec_latency(params, 400_Gbps) == 15ns);
}

TEST_CASE("fec: one bad codeword damages every packet that it carries, and no other") {
  for (const Count interleave : {1, 2, 4}) {
    CAPTURE(interleave);
    Fec fec({.code = FecCode::rs544_514, .raw_ber = chance(2e-3), .interleave = interleave}, 400_Gbps, 1, "wire");
    const std::size_t group = 10 * static_cast<std::size_t>(interleave);  // packets of 64 B
    const auto damaged = stream(fec, 64_B, 40'000);
    std::int64_t bad = 0;
    for (std::size_t i = 0; i < damaged.size(); i += group) {
      for (std::size_t j = i; j < i + group; ++j) REQUIRE(damaged[j] == damaged[i]);
      bad += damaged[i];
    }
    CHECK(fec.stats().codewords == 4000);
    CHECK(bad > 0);
    CHECK(fec.stats().uncorrectable >= bad);
    CHECK(fec.stats().lost == bad * static_cast<std::int64_t>(group));
  }
}

TEST_CASE("fec: a packet that begins in one codeword and ends in the next is damaged by either") {
  Fec whole({.code = FecCode::rs544_514, .raw_ber = chance(2e-3)}, 400_Gbps, 1, "wire");
  Fec across({.code = FecCode::rs544_514, .raw_ber = chance(2e-3)}, 400_Gbps, 1, "wire");
  const auto one = stream(whole, 640_B, 4000), two = stream(across, 1280_B, 2000);
  for (std::size_t i = 0; i < two.size(); ++i) REQUIRE(two[i] == (one[2 * i] || one[2 * i + 1]));
  CHECK(whole.stats().uncorrectable == across.stats().uncorrectable);
}

TEST_CASE("fec: errors of real links are corrected, and cost no time between them") {
  Fec fec({.code = FecCode::rs544_514, .raw_ber = chance(1e-8)}, 400_Gbps, 1, "wire");
  stream(fec, 640_B, 1'000'000);
  CHECK(fec.stats().uncorrectable == 0);
  CHECK(fec.stats().lost == 0);
  CHECK(fec.stats().corrected == doctest::Approx(54.4).epsilon(0.5));
  CHECK(fec.stats().symbols >= fec.stats().corrected);
}

TEST_CASE("fec: whoever sends now and then meets as many bad codewords") {
  Fec fec({.code = FecCode::rs528_514, .raw_ber = chance(1e-3)}, 400_Gbps, 1, "wire");
  int damaged = 0;
  const int n = 40'000;
  for (int i = 0; i < n; ++i) damaged += fec.damages({i * 128ns, i * 128ns + 12'800_ps}, 640_B);
  Fec busy({.code = FecCode::rs528_514, .raw_ber = chance(1e-3)}, 400_Gbps, 2, "wire");
  int expected = 0;
  for (const bool one : stream(busy, 640_B, n)) expected += one;
  CHECK(damaged == doctest::Approx(expected).epsilon(0.1));
}

TEST_CASE("fec: without a code each wrong bit damages its packet") {
  Fec fec({.code = FecCode::none, .raw_ber = chance(1e-5)}, 400_Gbps, 1, "wire");
  int damaged = 0;
  const int n = 100'000;
  for (const bool one : stream(fec, 1000_B, n)) damaged += one;
  const double p = -std::expm1(8000 * std::log1p(-1e-5));
  CHECK(std::abs(damaged - n * p) < 4 * std::sqrt(n * p));
}

}  // namespace
}  // namespace gicsim::link
