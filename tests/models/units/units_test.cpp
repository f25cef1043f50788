// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "models/units/bit_rate.h"
#include "models/units/probability.h"

namespace gicsim {

TEST_CASE("units: bytes over a rate round up once") {
  CHECK(4_KiB / 400_Gbps == 81'920_ps);
  CHECK(1_B / 400_Gbps == 20_ps);
  CHECK(1_B / BitRate::bits_per_second(504'123'076'923) == 16_ps);
  CHECK(Bytes(1'000'000) / BitRate::bits_per_second(504'123'076'923) == 15'869'141_ps);
  CHECK(0_B / 1_Gbps == 0ns);
  CHECK(Bytes(std::int64_t{1} << 50) / 1_Gbps == Picoseconds{9'007'199'254'740'992'000});
}

TEST_CASE("units: GT/s, lanes and line code make a rate") {
  CHECK(bit_rate(32_GTps, 16, {128, 130}) == BitRate::bits_per_second(504'123'076'923));
  CHECK(bit_rate(8_GTps, 1, {128, 130}) == BitRate::bits_per_second(7'876'923'076));
  CHECK(bit_rate(LaneRate::megatransfers(2'500), 4, {8, 10}) == 8_Gbps);
}

TEST_CASE("units: cycles over a clock round up once") {
  CHECK(375_cycles / 1980_MHz == 189'394_ps);
  CHECK(1_cycles / 1_GHz == 1ns);
  CHECK(3_cycles / 3_GHz == 1ns);
}

TEST_CASE("units: pieces cover the total") {
  CHECK(pieces(0_B, 256_B) == 0);
  CHECK(pieces(1_B, 256_B) == 1);
  CHECK(pieces(256_B, 256_B) == 1);
  CHECK(pieces(257_B, 256_B) == 2);
}

TEST_CASE("units: quantities compare") {
  CHECK(1_KiB == 1024_B);
  CHECK(1_KiB < 1025_B);
  CHECK(100_Gbps >= 100'000_Mbps);
  CHECK(1_GHz != 999_MHz);
}

TEST_CASE("probability: one of several, and what 64 bits decide") {
  const Probability half = Probability::steps(Probability::certain / 2);
  CHECK(either(half, half).value() == 0.75);
  CHECK(half.any_of(3).value() == 0.875);
  CHECK(Probability().any_of(1'000'000) == Probability());
  CHECK(Probability::steps(1000).any_of(32'976).value() == doctest::Approx(3.2976e-11).epsilon(1e-6));
  CHECK(half.happens((std::uint64_t{1} << 63) - 1));
  CHECK_FALSE(half.happens(std::uint64_t{1} << 63));
  CHECK_FALSE(Probability().happens(0));
  CHECK(Probability::steps(Probability::certain).happens(~std::uint64_t{0}));
}

}  // namespace gicsim
