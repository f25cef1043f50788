// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/units/text.h"

#include <doctest/doctest.h>

#include <string>

namespace gicsim {

TEST_CASE_TEMPLATE("text: what is written is read back, exactly", Quantity, Picoseconds, Bytes,
                   Cycles, Count) {
  for (const std::int64_t n : {0LL, 1LL, 999LL, 1'000LL, 1'024LL, 1'500LL, 1'536LL, 15'870LL,
                               123'456'789LL, 1'000'000'000'000LL, 1LL << 40, (1LL << 40) + 1}) {
    const Quantity value{n};
    CAPTURE(text::write(value));
    CHECK(text::read<Quantity>(text::write(value)).value == value);
  }
}

TEST_CASE("text: rates, clocks and lane rates as well") {
  for (const std::int64_t n : {0LL, 1LL, 400'000'000'000LL, 504'123'076'923LL}) {
    CHECK(text::read<BitRate>(text::write(BitRate::bits_per_second(n))).value ==
          BitRate::bits_per_second(n));
    CHECK(text::read<Frequency>(text::write(Frequency::hertz(n))).value == Frequency::hertz(n));
    CHECK(text::read<LaneRate>(text::write(LaneRate::megatransfers(n))).value ==
          LaneRate::megatransfers(n));
  }
}

TEST_CASE("text: the largest unit that fits is written") {
  CHECK(text::write(Picoseconds{1'500}) == "1.5 ns");
  CHECK(text::write(Picoseconds{12'345'000}) == "12.345 us");
  CHECK(text::write(Picoseconds{1'000'001}) == "1000.001 ns");
  CHECK(text::write(Picoseconds{0}) == "0 ns");
  CHECK(text::write(Picoseconds{-15'000}) == "-15 ns");
  CHECK(text::write(64_KiB) == "64 KiB");
  CHECK(text::write(1536_B) == "1.5 KiB");
  CHECK(text::write(400_Gbps) == "400 Gbps");
  CHECK(text::write(32_GTps) == "32 GT/s");
  CHECK(text::write(1980_MHz) == "1.98 GHz");
  CHECK(text::write(375_cycles) == "375 cycles");
  CHECK(text::write(Count{128}) == "128");
}

TEST_CASE("text: a blank is optional, fractions are exact") {
  CHECK(text::read<Picoseconds>("15ns").value == Picoseconds{15ns});
  CHECK(text::read<Picoseconds>("  15 ns ").value == Picoseconds{15ns});
  CHECK(text::read<Picoseconds>("1.5 us").value == Picoseconds{1'500ns});
  CHECK(text::read<Picoseconds>("0.001 ns").value == 1_ps);
  CHECK(text::read<Picoseconds>("-3 ns").value == Picoseconds{-3ns});
  CHECK(text::read<Bytes>("0.5 KiB").value == 512_B);
  CHECK(text::read<BitRate>("1.6 Tbps").value == 1600_Gbps);
  CHECK(text::read<LaneRate>("2.5 GT/s").value == LaneRate::megatransfers(2'500));
  CHECK(text::read<Count>("1_000").value == 1'000);
}

TEST_CASE("text: a probability is a number or per cent, exact to 1e-18") {
  const auto read = [](std::string_view t) {
    return text::read<Probability>(t).value.value_or(Probability::steps(-1)).raw();
  };
  CHECK(read("0") == 0);
  CHECK(read("1") == Probability::certain);
  CHECK(read("100 %") == Probability::certain);
  CHECK(read("0.1 %") == Probability::certain / 1000);
  CHECK(read("1e-4") == Probability::certain / 10'000);
  CHECK(read("2.5E-6") == 2'500'000'000'000);
  CHECK(read("1e-18") == 1);
  for (const std::int64_t n : {0LL, 1LL, 25LL, 1'000LL, 100'000'000'000'000LL, 999'999'999'999'999LL,
                               1'500'000'000'000'000LL, 50'000'000'000'000'000LL, 1'000'000'000'000'000'000LL})
    CHECK(read(text::write(Probability::steps(n))) == n);
  CHECK(text::write(Probability::steps(Probability::certain / 10'000)) == "1e-4");
  CHECK(text::write(Probability::steps(Probability::certain / 20)) == "0.05");
  CHECK(text::read<Probability>("often").wrong ==
        "'often' is not a probability; write it like '0.001', '1e-4' or '0.1 %'");
  CHECK(text::read<Probability>("1e-4x").wrong ==
        "'1e-4x' is not a probability; write it like '0.001', '1e-4' or '0.1 %'");
  CHECK(text::read<Probability>("1.5").wrong == "'1.5' is not a probability; write 0 to 1, or 0 % to 100 %");
  CHECK(text::read<Probability>("-0.1").wrong == "'-0.1' is not a probability; write 0 to 1, or 0 % to 100 %");
  CHECK(text::read<Probability>("1e-19").wrong == "'1e-19' is not a whole number of 1e-18");
}

TEST_CASE("text: what is wrong is said, with what to write instead") {
  CHECK(text::read<Bytes>("64").wrong == "'64' has no unit; write '64 KiB' or '64 B'");
  CHECK(text::read<Picoseconds>("15").wrong == "'15' has no unit; write '15 ns' or '15 ps'");
  CHECK(text::read<Cycles>("375").wrong == "'375' has no unit; write '375 cycles'");
  CHECK(text::read<Picoseconds>("0.5 ps").wrong == "'0.5 ps' is not a whole number of ps");
  CHECK(text::read<Bytes>("64 KB").wrong ==
        "'64 KB' has an unknown unit 'KB'; the units are GiB, MiB, KiB, B");
  CHECK(text::read<Picoseconds>("fast").wrong ==
        "'fast' is not a number with a unit; write it like '15 ns'");
  CHECK(text::read<Picoseconds>("200000000 s").wrong == "'200000000 s' is too large");
  CHECK(text::read<Count>("3 B").wrong ==
        "'3 B' is not a count; write a whole number without a unit");
  CHECK(text::read<Count>("1.5").wrong ==
        "'1.5' is not a count; write a whole number without a unit");
  CHECK_FALSE(text::read<Count>("").value);
}

}  // namespace gicsim
