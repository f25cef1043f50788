// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/mechanisms/pacer.h"

#include <doctest/doctest.h>

namespace gicsim {
namespace {

TEST_CASE("pacer: packets begin when those before would have ended") {
  Pacer pacer(100_Gbps);  // 80 ps a byte
  for (int i = 0; i < 1000; ++i) {
    CHECK(pacer.next() == i * 80ns);
    pacer.send(1000_B, pacer.next());
  }
}

TEST_CASE("pacer: time that went by unused is lost") {
  Pacer pacer(100_Gbps);
  pacer.send(1000_B, 0ns);
  pacer.send(1000_B, 1us);
  CHECK(pacer.next() == 1080ns);
}

TEST_CASE("pacer: what is left of a wait changes with the rate") {
  Pacer pacer(100_Gbps);
  pacer.send(1000_B, 0ns);
  pacer.set_rate(50_Gbps, 20ns);  // 60 ns were left
  CHECK(pacer.next() == 140ns);
  pacer.set_rate(200_Gbps, 100ns);  // 40 ns
  CHECK(pacer.next() == 110ns);
  pacer.set_rate(100_Gbps, 200ns);  // nothing
  CHECK(pacer.next() == 110ns);
}

}  // namespace
}  // namespace gicsim
