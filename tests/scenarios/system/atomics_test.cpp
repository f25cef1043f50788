// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/system/atomics.h"

#include <doctest/doctest.h>

namespace gicsim::system {
namespace {

constexpr Address word = 0x1000;

TEST_CASE("atomics: one between another's read and write is lost, to the picosecond") {
  using Case = std::pair<Picoseconds, bool>;
  for (const auto& [at, lost] :
       {Case{100ns, false}, Case{100ns + 1_ps, true}, Case{700ns - 1_ps, true}, Case{700ns, false}}) {
    Atomics atomics;
    atomics.on({word, "gpu", at, at});
    atomics.on({word, "nic", 100ns, 700ns});
    CHECK(atomics.lost().has_value() == lost);
  }
}

TEST_CASE("atomics: whoever comes while a write has arrived and isn't visible is lost, too") {
  Atomics atomics;
  atomics.on({word, "nic", 100ns, 700ns});
  atomics.on({word, "gpu", 650ns, 650ns});
  REQUIRE(atomics.lost());
  CHECK(atomics.lost()->lost == "gpu");
  CHECK(atomics.lost()->by == "nic");
  CHECK(atomics.lost()->at == 650ns);
  CHECK(atomics.lost()->read == 100ns);
  CHECK(atomics.lost()->written == 700ns);
}

TEST_CASE("atomics: of two NICs that overlap the one that writes last undoes the other") {
  Atomics atomics;
  atomics.on({word, "nic0", 100ns, 700ns});
  atomics.on({word, "nic1", 200ns, 800ns});
  REQUIRE(atomics.lost());
  CHECK(atomics.lost()->lost == "nic0");
  CHECK(atomics.undid() == 1);
}

TEST_CASE("atomics: its own, other words, and what is one access can't be lost") {
  Atomics atomics;
  atomics.on({word, "nic", 100ns, 700ns});
  atomics.on({word, "nic", 300ns, 300ns});
  atomics.on({word + 8, "gpu", 400ns, 400ns});
  atomics.on({word, "gpu", 800ns, 800ns});
  atomics.on({word, "nic", 900ns, 900ns});
  CHECK_FALSE(atomics.lost());
}

}  // namespace
}  // namespace gicsim::system
