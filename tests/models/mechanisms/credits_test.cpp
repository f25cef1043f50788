// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/credits.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "models/base/errors.h"
#include "models/base/random.h"

namespace gicsim {

TEST_CASE("credits: all or none, and back when they said") {
  Credits credits("link", 4);
  CHECK(credits.take(3, 0ns));
  CHECK_FALSE(credits.take(2, 0ns));
  CHECK(credits.available_at(1) == 0ns);
  CHECK(credits.available_at(2) == Picoseconds::max());
  credits.give(2, 10ns);
  CHECK(credits.available_at(2) == 10ns);
  CHECK(credits.available_at(4) == Picoseconds::max());
  CHECK_FALSE(credits.take(2, 9'999_ps));
  CHECK(credits.take(2, 10ns));
  CHECK(credits.available(10ns) == 1);
  CHECK(credits.outstanding() == 3);
  CHECK(credits.stats().taken == 5);
  CHECK(credits.stats().given == 2);
  CHECK(credits.stats().refused == 2);
  CHECK(credits.stats().lowest == 1);
}

TEST_CASE("credits: returns may be announced in any order") {
  Credits credits("link", 6);
  CHECK(credits.take(6, 0ns));
  credits.give(1, 30ns);
  credits.give(2, 10ns);
  credits.give(1, 20ns);
  credits.give(1, 20ns);
  CHECK(credits.available_at(1) == 10ns);
  CHECK(credits.available_at(3) == 20ns);
  CHECK(credits.available_at(5) == 30ns);
  CHECK(credits.available(20ns) == 4);
  CHECK(credits.available(30ns) == 5);
}

TEST_CASE("credits: a window of w and a round trip of r bound the rate, exactly") {
  for (const Count window : {1, 4, 5, 32}) {
    constexpr Picoseconds service = 3ns, round_trip = 14ns;
    Credits credits("link", window);
    Picoseconds now = 0ns, last = 0ns;
    for (Count n = 0; n < 1'000; ++n) {
      if (n > 0) now = last + service;
      now = std::max(now, credits.available_at(1));
      REQUIRE(credits.take(1, now));
      credits.give(1, now + round_trip);
      last = now;
      const Picoseconds expected = window * service >= round_trip
                                       ? n * service
                                       : n / window * round_trip + n % window * service;
      REQUIRE(now == expected);
    }
    CHECK(credits.stats().refused == 0);
  }
}

TEST_CASE("credits: whatever the traffic, the books balance") {
  RandomStream random(3, "credits");
  Credits credits("link", 32);
  Picoseconds now = 0ns;
  for (int i = 0; i < 10'000; ++i) {
    now += Picoseconds{static_cast<std::int64_t>(random.below(100))};
    if (random.below(2) == 0)
      credits.take(static_cast<Count>(random.below(8)), now);
    else if (credits.outstanding() > 0)
      credits.give(1, now + Picoseconds{static_cast<std::int64_t>(random.below(200))});
    REQUIRE(credits.outstanding() >= 0);
    REQUIRE(credits.available(now) + credits.outstanding() <= credits.size());
    REQUIRE(credits.available(now) >= 0);
  }
  CHECK(credits.available(now + 1us) + credits.outstanding() == 32);
}

TEST_CASE("credits: more than there are is an error that names both") {
  Credits credits("node0.nic0.tx", 4);
  CHECK_THROWS_WITH_AS(credits.give(1, 12'345ns), "node0.nic0.tx @ 12.345 us: credits 4 -> 5 of 4",
                       ModelError);
  CHECK_THROWS_WITH_AS(credits.take(5, 1ns), "node0.nic0.tx @ 1 ns: credits 4 -> -1 of 4",
                       ModelError);
  CHECK_THROWS_AS(credits.take(-1, 0ns), ModelError);
  CHECK(credits.take(4, 0ns));
  credits.give(4, 1ns);
  CHECK_THROWS_AS(credits.give(1, 2ns), ModelError);
}

}  // namespace gicsim
