// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/cores.h"

#include <doctest/doctest.h>

#include "hw_backend/core/error.h"

namespace gicsim::hw {
namespace {

TEST_CASE("cores: Linux' lists of CPUs") {
  CHECK(parse_cpu_list("0-3,8,10-11") == std::vector<int>{0, 1, 2, 3, 8, 10, 11});
  CHECK(parse_cpu_list("5") == std::vector<int>{5});
  CHECK(parse_cpu_list("").empty());
  CHECK(parse_cpu_list("3-1").empty());
  CHECK(parse_cpu_list("1,x").empty());
  CHECK(parse_cpu_list("0-").empty());
}

TEST_CASE("cores: those that this process may use, and a thread that stays on one for a scope") {
  const std::vector<int> cores = cores_near("-1");
  REQUIRE(!cores.empty());
  CHECK((cores.size() == 1 || cores.front() != 0));
  cpu_set_t before, within, after;
  sched_getaffinity(0, sizeof before, &before);
  for (const int core : cores) CHECK(CPU_ISSET(core, &before));
  {
    const OnCore here(cores.back());
    sched_getaffinity(0, sizeof within, &within);
    CHECK(CPU_COUNT(&within) == 1);
    CHECK(CPU_ISSET(cores.back(), &within));
  }
  sched_getaffinity(0, sizeof after, &after);
  CHECK(CPU_EQUAL(&before, &after));
  CHECK_THROWS_AS(OnCore(CPU_SETSIZE - 1), HardwareError);
}

}  // namespace
}  // namespace gicsim::hw
