// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/probe.h"

#include <doctest/doctest.h>

#include <vector>

namespace gicsim {

TEST_CASE("probe: every listener hears every fact, in order of listening") {
  struct Fact {
    int value;
  };
  Probe<Fact> probe;
  probe.announce({1});
  std::vector<int> heard;
  probe.listen([&](const Fact& fact) { heard.push_back(fact.value); });
  probe.listen([&](const Fact& fact) { heard.push_back(-fact.value); });
  CHECK(probe.heard());
  probe.announce({2});
  probe.announce([] { return Fact{3}; });
  CHECK(heard == std::vector<int>{2, -2, 3, -3});
}

TEST_CASE("probe: with no listener a dear fact is not made") {
  struct Fact {};
  const Probe<Fact> probe;
  int made = 0;
  probe.announce([&] {
    ++made;
    return Fact{};
  });
  CHECK_FALSE(probe.heard());
  CHECK(made == 0);
}

}  // namespace gicsim
