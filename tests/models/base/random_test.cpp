// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/random.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace gicsim {

TEST_CASE("random: Philox4x32-10 gives the known answers of its authors") {
  using Block = std::array<std::uint32_t, 4>;
  CHECK(detail::philox({0, 0, 0, 0}, {0, 0}) ==
        Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t ones = 0xffffffff;
  CHECK(detail::philox({ones, ones, ones, ones}, {ones, ones}) ==
        Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(
      detail::philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
      Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("random: a stream depends on seed and name and on nothing else") {
  RandomStream a(1, "node0.nic0"), again(1, "node0.nic0"), name(1, "node0.nic1"),
      seed(2, "node0.nic0");
  int equal_name = 0, equal_seed = 0;
  for (int i = 0; i < 1'000; ++i) {
    const std::uint64_t value = a.next();
    CHECK(value == again.next());
    equal_name += value == name.next();
    equal_seed += value == seed.next();
  }
  CHECK(equal_name == 0);
  CHECK(equal_seed == 0);
}

TEST_CASE("random: numbers stay what they are") {
  RandomStream stream(42, "node0.gpu0");
  CHECK(stream.next() == 0xfc1d5ae4ddffd439);
  CHECK(stream.next() == 0x904cec17f7e34b2f);
  CHECK(stream.below(1'000) == 305);
  CHECK(stream.exponential(100ns) == 81'639_ps);
}

TEST_CASE("random: the integer logarithm is right to 15 digits") {
  for (const std::uint64_t u :
       {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << 63, (std::uint64_t{1} << 63) - 1,
        ~std::uint64_t{0}, std::uint64_t{0x123456789abcdef}}) {
    const double expected = -std::log(std::ldexp(static_cast<double>(u), -64));
    CHECK(static_cast<double>(detail::minus_log(u)) * 0x1p-58 ==
          doctest::Approx(expected).epsilon(1e-15));
  }
}

TEST_CASE("random: uniform, below and exponential have their means and bounds") {
  RandomStream stream(7, "moments");
  constexpr int n = 100'000;
  double uniform = 0, exponential = 0, square = 0;
  std::vector<int> faces(6);
  for (int i = 0; i < n; ++i) {
    const double u = stream.uniform();
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    uniform += u;
    ++faces[stream.below(6)];
    const auto t = static_cast<double>(stream.exponential(1us).count()) * 1e-6;
    REQUIRE(t >= 0);
    exponential += t;
    square += t * t;
  }
  CHECK(uniform / n == doctest::Approx(0.5).epsilon(0.01));
  CHECK(exponential / n == doctest::Approx(1).epsilon(0.02));
  CHECK(square / n == doctest::Approx(2).epsilon(0.04));
  for (const int count : faces) CHECK(count == doctest::Approx(n / 6.0).epsilon(0.03));
  CHECK(stream.below(1) == 0);
  CHECK(stream.exponential(0ns) == 0ns);
}

}  // namespace gicsim
