// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/ring.h"

#include <doctest/doctest.h>

namespace gicsim {

TEST_CASE("ring: first in first out, and it refuses when it is full") {
  Ring<int> ring(5);
  for (int i = 0; i < 5; ++i) CHECK(ring.push(i));
  CHECK(ring.full());
  CHECK(ring.room() == 0);
  CHECK_FALSE(ring.push(5));
  CHECK(*ring.front() == 0);
  CHECK(ring[4] == 4);
  for (int i = 0; i < 5; ++i) CHECK(ring.pop() == i);
  CHECK_FALSE(ring.pop());
  CHECK(ring.front() == nullptr);
  CHECK(ring.stats().pushed == 5);
  CHECK(ring.stats().popped == 5);
  CHECK(ring.stats().refused == 1);
  CHECK(ring.stats().most == 5);
}

TEST_CASE("ring: goes round for ever") {
  Ring<int> ring(3);
  ring.push(0);
  for (int i = 1; i < 10'000; ++i) {
    REQUIRE(ring.push(i));
    REQUIRE(ring.pop() == i - 1);
  }
  CHECK(ring.stats().pushed == ring.stats().popped + ring.size());
}

}  // namespace gicsim
