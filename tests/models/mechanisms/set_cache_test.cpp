// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/set_cache.h"

#include <doctest/doctest.h>

namespace gicsim {
namespace {

TEST_CASE("set cache: the one that wasn't used for longest goes") {
  SetCache cache("c", 2, 2, Replacement::lru);
  cache.insert(1), cache.insert(2);
  CHECK(cache.look_up(1));
  cache.insert(3);
  CHECK(cache.contains(1));
  CHECK_FALSE(cache.contains(2));
  CHECK(cache.stats().evictions == 1);
  cache.erase(1);
  CHECK_FALSE(cache.look_up(1));
  cache.clear();
  CHECK_FALSE(cache.contains(3));
}

TEST_CASE("set cache: numbers of one set don't disturb another's") {
  SetCache cache("c", 8, 2, Replacement::lru);
  cache.insert(1);
  for (SetCache::Key key : {0, 4, 8, 12, 2, 3}) cache.insert(key);
  CHECK(cache.contains(1));
  CHECK_FALSE(cache.contains(0));
}

TEST_CASE("set cache: what may use some ways only leaves the others alone") {
  SetCache cache("c", 4, 4, Replacement::lru);
  for (SetCache::Key key : {1, 2, 3, 4}) cache.insert(key);
  for (SetCache::Key key : {10, 11, 12}) cache.insert(key, 1);
  for (SetCache::Key key : {2, 3, 4, 12}) CHECK(cache.contains(key));
}

TEST_CASE("set cache: random look-ups hit with probability size / n, whatever goes") {
  for (const Replacement replacement : {Replacement::lru, Replacement::random}) {
    SetCache cache("c", 64, 8, replacement, 3);
    RandomStream draw(5, "d");
    const int rounds = 100'000;
    for (int i = 0; i < rounds; ++i) {
      const SetCache::Key key = draw.below(128);
      if (!cache.look_up(key)) cache.insert(key);
    }
    CHECK(static_cast<double>(cache.stats().hits) / rounds == doctest::Approx(0.5).epsilon(0.02));
  }
}

TEST_CASE("set cache: entries that aren't whole sets are refused") {
  CHECK_THROWS_AS(SetCache("c", 10, 4, Replacement::lru), ModelError);
}

}  // namespace
}  // namespace gicsim
