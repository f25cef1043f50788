// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/calendar.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "models/base/random.h"

namespace gicsim {

TEST_CASE("calendar: random traffic leaves in the order of a sorted set") {
  RandomStream random(1, "calendar");
  Calendar calendar;
  std::set<std::pair<std::int64_t, std::uint64_t>> sorted;
  std::int64_t now = 0;
  std::uint64_t sequence = 0;
  bool equal = true;
  for (int i = 0; i < 300'000 && equal; ++i) {
    if (random.below(2) == 0 || sorted.empty()) {
      constexpr std::uint64_t reach[] = {1, 2'000, 2'000, 3'000'000, 3'000'000, 20'000'000};
      const bool burst = i / 1'000 % 7 == 0;
      const auto delay =
          static_cast<std::int64_t>(random.below(burst ? 1 : reach[random.below(6)]));
      const auto lane = static_cast<Calendar::Lane>(random.below(3));
      calendar.push(Picoseconds{now + delay}, lane, nullptr, nullptr);
      sorted.insert({now + delay, (std::uint64_t{lane} << 48) | sequence});
      sequence += 2;
    } else {
      const std::int64_t last = random.below(2) == 0
                                    ? std::numeric_limits<std::int64_t>::max()
                                    : now + static_cast<std::int64_t>(random.below(100'000));
      Calendar::Event event{};
      const bool due = calendar.pop_through(Picoseconds{last}, event);
      equal = due == (sorted.begin()->first <= last);
      if (due) {
        equal = equal && *sorted.begin() == std::pair{event.time.count(), event.key};
        now = event.time.count();
        sorted.erase(sorted.begin());
      } else if (random.below(3) == 0) {
        now = last;
      }
    }
    equal = equal && calendar.size() == sorted.size() &&
            calendar.next() == (sorted.empty() ? never : Picoseconds{sorted.begin()->first});
  }
  CHECK(equal);
}

TEST_CASE("calendar: what comes in earlier than anything popped goes first") {
  Calendar calendar;
  Calendar::Event event{};
  for (const Picoseconds t : {1ms, 2ms}) calendar.push(t, 0, nullptr, nullptr);
  CHECK_FALSE(calendar.pop_through(999us, event));
  CHECK(calendar.pop_through(1ms, event));
  for (const Picoseconds t : {Picoseconds{1us}, 1_ps, Picoseconds{3ms}, 0_ps})
    calendar.push(t, 0, nullptr, nullptr);
  std::vector<Picoseconds> order;
  while (calendar.pop_through(never, event)) order.push_back(event.time);
  CHECK(order == std::vector<Picoseconds>{0_ps, 1_ps, 1us, 2ms, 3ms});
}

TEST_CASE("calendar: cleared, it starts over") {
  Calendar calendar;
  for (const Picoseconds t : {Picoseconds{1ns}, Picoseconds{1us}, Picoseconds{1ms}})
    calendar.push(t, 1, nullptr, nullptr);
  calendar.clear();
  CHECK(calendar.empty());
  CHECK(calendar.next() == never);
  calendar.push(5ns, 0, nullptr, nullptr, true);
  Calendar::Event event{};
  CHECK(calendar.pop_through(5ns, event));
  CHECK(event.background());
}

}  // namespace gicsim
