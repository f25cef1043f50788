// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/time_slices.h"

#include <doctest/doctest.h>

namespace gicsim {
namespace {

TEST_CASE("time slices: always there costs nothing") {
  const TimeSlices slices;
  CHECK(slices.next(7us) == 7us);
  CHECK(slices.end(7us, 3us) == 10us);
}

TEST_CASE("time slices: work waits for its slice, and for others' slices until it is done") {
  const TimeSlices slices(10us, 30us, 0us);
  CHECK(slices.next(10us - 1_ps) == 10us - 1_ps);
  CHECK(slices.next(10us) == 40us);
  CHECK(slices.next(39us) == 40us);
  CHECK(slices.end(0us, 10us) == 10us);
  CHECK(slices.end(0us, 10us + 1_ps) == 40us + 1_ps);
  CHECK(slices.end(4us, 5us) == 9us);
  CHECK(slices.end(4us, 25us) == 4us + 25us + 2 * 30us);
  CHECK(slices.end(15us, 1us) == 41us);
}

TEST_CASE("time slices: a phase shifts them") {
  const TimeSlices slices(10us, 30us, 35us);
  CHECK(slices.next(0us) == 5us);
  CHECK(slices.end(0us, 2us) == 7us);
}

}  // namespace
}  // namespace gicsim
