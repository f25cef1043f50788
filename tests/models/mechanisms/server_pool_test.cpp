// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/server_pool.h"

#include <doctest/doctest.h>

namespace gicsim {

TEST_CASE("server pool: as many at once as there are servers, then one after the other") {
  ServerPool pool(2, 10ns);
  CHECK(pool.serve(0ns) == Slot{0ns, 10ns});
  CHECK(pool.serve(1ns) == Slot{1ns, 11ns});
  CHECK(pool.serve(2ns) == Slot{10ns, 20ns});
  CHECK(pool.serve(2ns) == Slot{11ns, 21ns});
  CHECK(pool.serve(50ns) == Slot{50ns, 60ns});
  CHECK(pool.stats().served == 5);
  CHECK(pool.stats().waiting == 17ns);
  CHECK(pool.stats().busy == 50ns);
}

TEST_CASE("server pool: n at once take service n / servers") {
  ServerPool pool(8, 24ns);
  Slot last{};
  for (int i = 0; i < 800; ++i) last = pool.serve(0ns);
  CHECK(last.end == 24ns * 100);
}

}  // namespace gicsim
