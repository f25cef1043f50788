// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/serialiser.h"

#include <doctest/doctest.h>

#include "models/base/errors.h"
#include "models/base/random.h"

namespace gicsim {

TEST_CASE("serialiser: a packet takes its bits over the rate, rounded up") {
  Serialiser wire(400_Gbps);
  CHECK(wire.send(1us, 4_KiB) == Slot{1us, 1us + 81'920_ps});
  CHECK(wire.send(1us, 4_KiB) == Slot{1us + 81'920_ps, 1us + 163'840_ps});
  CHECK(wire.free_at() == 1us + 163'840_ps);
  CHECK(wire.stats().packets == 2);
  CHECK(wire.stats().carried == 8_KiB);
  CHECK(wire.stats().busy == 163'840_ps);
  CHECK(wire.stats().waiting == 81'920_ps);
}

TEST_CASE("serialiser: back to back, n packets end at the ceiling of the exact total") {
  const BitRate gen5_x16 = bit_rate(32_GTps, 16, {128, 130});
  RandomStream random(1, "serialiser");
  Serialiser given_at_once(gen5_x16), given_when_free(gen5_x16);
  Bytes total;
  Picoseconds now = 7ns;
  for (int n = 1; n <= 100'000; ++n) {
    const Bytes length(static_cast<std::int64_t>(1 + random.below(4'096)));
    total += length;
    const Picoseconds exact = 7ns + total / gen5_x16;
    REQUIRE(given_at_once.send(7ns, length).end == exact);
    now = given_when_free.send(now, length).end;
    REQUIRE(now == exact);
  }
  CHECK(given_when_free.stats().waiting == 0ns);
  CHECK(given_when_free.stats().busy == now - 7ns);
}

TEST_CASE("serialiser: after a pause it starts on the picosecond") {
  Serialiser wire(BitRate::bits_per_second(3'000'000'000'000));
  CHECK(wire.send(0ns, 1_B).end == 3_ps);
  CHECK(wire.send(3_ps, 1_B).end == 6_ps);
  CHECK(wire.send(6_ps, 1_B).end == 8_ps);
  CHECK(wire.send(9_ps, 1_B) == Slot{9_ps, 12_ps});
}

TEST_CASE("serialiser: a very long transfer does not overflow") {
  const BitRate rate = bit_rate(32_GTps, 16, {128, 130});
  Serialiser wire(rate);
  const Bytes terabyte(std::int64_t{1} << 40);
  CHECK(wire.send(0ns, terabyte).end == terabyte / rate);
  CHECK(wire.send(0ns, 1_B).end == (terabyte + 1_B) / rate);
}

TEST_CASE("serialiser: a rate of zero is refused") {
  CHECK_THROWS_AS(Serialiser(BitRate{}), ModelError);
}

}  // namespace gicsim
