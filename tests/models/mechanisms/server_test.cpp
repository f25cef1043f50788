// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/server.h"

#include <doctest/doctest.h>

namespace gicsim {

TEST_CASE("server: idle it starts at once, busy after the one before") {
  Server server(10ns);
  CHECK(server.serve(5ns) == Slot{5ns, 15ns});
  CHECK(server.serve(14ns) == Slot{15ns, 25ns});
  CHECK(server.serve(25ns) == Slot{25ns, 35ns});
  CHECK(server.serve(100ns, 3ns) == Slot{100ns, 103ns});
  CHECK(server.free_at() == 103ns);
  CHECK(server.stats().served == 4);
  CHECK(server.stats().busy == 33ns);
  CHECK(server.stats().waiting == 1ns);
}

TEST_CASE("server: n at once wait s n (n - 1) / 2 in all") {
  Server server(7_ps);
  for (int i = 0; i < 100; ++i) server.serve(0ns);
  CHECK(server.stats().waiting == Picoseconds{7 * 100 * 99 / 2});
  CHECK(server.stats().busy == server.free_at());
}

}  // namespace gicsim
