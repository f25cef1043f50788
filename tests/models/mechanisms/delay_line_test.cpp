// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/delay_line.h"

#include <doctest/doctest.h>

#include <memory>

namespace gicsim {

TEST_CASE("delay line: an item is there at its time, not a picosecond sooner") {
  DelayLine<int> line("cable");
  CHECK_FALSE(line.next_due());
  line.push(1, 10ns);
  line.push(2, 10ns);
  line.push(3, 11ns);
  CHECK(line.next_due() == 10ns);
  CHECK_FALSE(line.pop_due(9'999_ps));
  CHECK(line.pop_due(10ns) == 1);
  CHECK(line.pop_due(10ns) == 2);
  CHECK_FALSE(line.pop_due(10ns));
  CHECK(line.pop_due(1us) == 3);
  CHECK(line.empty());
  CHECK(line.stats().pushed == 3);
  CHECK(line.stats().popped == 3);
  CHECK(line.stats().most == 3);
}

TEST_CASE("delay line: one item every s and a flight of f, ceil(f / s) are under way") {
  DelayLine<std::unique_ptr<int>> line("cable");
  Count arrived = 0;
  for (int n = 0; n < 1'000; ++n) {
    const Picoseconds now = n * Picoseconds{3ns};
    while (const auto item = line.pop_due(now)) REQUIRE(**item == arrived++);
    line.push(std::make_unique<int>(n), now + 100ns);
  }
  CHECK(line.stats().most == 34);
  CHECK(arrived + line.size() == 1'000);
}

TEST_CASE("delay line: overtaking is an error") {
  DelayLine<int> line("cable");
  line.push(1, 10ns);
  CHECK_THROWS_WITH_AS(line.push(2, 9ns),
                       "cable @ 9 ns: arrives before the item ahead of it, at 10 ns", ModelError);
}

}  // namespace gicsim
