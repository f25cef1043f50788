// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/tags.h"

#include <doctest/doctest.h>

#include <set>
#include <utility>
#include <vector>

#include "models/base/errors.h"
#include "models/base/random.h"

namespace gicsim {

TEST_CASE("tags: the lowest free one goes first, up to the last") {
  Tags tags("endpoint", 130);
  for (Tags::Tag tag = 0; tag < 130; ++tag) REQUIRE(tags.take(0ns) == tag);
  CHECK_FALSE(tags.take(0ns));
  CHECK(tags.available() == 0);
  for (const Tags::Tag tag : {129U, 64U, 3U}) tags.give(tag, 0ns);
  CHECK(tags.take(0ns) == 3U);
  CHECK(tags.take(0ns) == 64U);
  CHECK(tags.take(0ns) == 129U);
  CHECK(tags.stats().taken == 133);
  CHECK(tags.stats().refused == 1);
  CHECK(tags.stats().most == 130);
}

TEST_CASE("tags: random traffic against a sorted set; held is the sum of the times in use") {
  RandomStream random(1, "tags");
  Tags tags("endpoint", 768);
  std::set<Tags::Tag> free;
  for (Tags::Tag tag = 0; tag < 768; ++tag) free.insert(tag);
  std::vector<std::pair<Tags::Tag, Picoseconds>> used;
  Picoseconds now = 0ns, held = 0ns;
  for (int i = 0; i < 50'000 || !used.empty(); ++i) {
    now += Picoseconds{static_cast<std::int64_t>(random.below(10))};
    if (i < 50'000 && random.below(100) < (i / 5'000 % 2 == 0 ? 70U : 30U)) {
      const auto tag = tags.take(now);
      REQUIRE(tag.has_value() == !free.empty());
      if (!tag) continue;
      REQUIRE(*tag == *free.begin());
      free.erase(*tag);
      used.emplace_back(*tag, now);
    } else if (!used.empty()) {
      std::swap(used[random.below(used.size())], used.back());
      const auto [tag, since] = used.back();
      used.pop_back();
      held += now - since;
      tags.give(tag, now);
      free.insert(tag);
    }
  }
  CHECK(tags.in_use() == 0);
  CHECK(tags.stats().held == held);
}

TEST_CASE("tags: what is not in use cannot come back") {
  Tags tags("node0.nic0.pcie", 8);
  CHECK_THROWS_WITH_AS(tags.give(3, 5ns),
                       "node0.nic0.pcie @ 5 ns: tag 3 comes back but is not in use", ModelError);
  CHECK_THROWS_AS(tags.give(8, 5ns), ModelError);
}

}  // namespace gicsim
