// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// A flag is never there before its data, where the rules promise that; where they don't, some seed shows it.
#include "tests/laws/draw.h"

namespace gicsim {
namespace {

schema::Scenario signalled(Sets sets) {
  for (const auto& [key, value] :
       {std::pair{"pattern", "put_signal"}, {"system.nodes", "2"}, {"system.pairs", "1"}, {"spread.write_commit", "true"},
        {"spread.write_commit_wait", "2 us"}, {"spread.placement", "true"}, {"warmup", "0"}, {"iterations", "3"}})
    sets.push_back({key, value});
  return scenario(sets);
}

/// Of so many seeds, how many end with a flag before its data.
int caught(schema::Scenario s, int seeds) {
  int violations = 0;
  for (Count seed = 0; seed < seeds; ++seed) {
    s.seed = s.system.seed = seed;
    const Status status = simulate(s).status;
    CHECK((status == Status::done || status == Status::ordering_violation));
    violations += status == Status::ordering_violation;
  }
  return violations;
}

TEST_CASE("ordering: one queue pair, static routes, in-order placement: never, for 1,000 seeds") {
  for (const char* signal : {"flag", "atomic"})
    for (const char* relaxed : {"off", "data"}) {
      CAPTURE(std::string(signal));
      CAPTURE(std::string(relaxed));
      CHECK(caught(signalled({{"signal", signal}, {"relaxed_ordering", relaxed}}), 250) == 0);
    }
}

TEST_CASE("ordering: what some seed must show") {
  const Sets two{{"signal_queue", "other"}};
  const auto with = [](Sets sets, const char* key, const char* value) {
    sets.push_back({key, value});
    return sets;
  };
  const Sets two_flags = with(two, "signal", "flag");
  CHECK(caught(signalled(with(two_flags, "relaxed_ordering", "all")), 50) > 0);
  CHECK(caught(signalled({{"signal", "flag"}, {"relaxed_ordering", "all"}}), 50) > 0);
  CHECK(caught(signalled({{"signal", "flag"}, {"placement", "out_of_order"}}), 50) > 0);
  // A flag that is kept in order, behind data that arrived first; an atomic, which reads memory before it writes.
  CHECK(caught(signalled(with(two_flags, "relaxed_ordering", "data")), 50) == 0);
  CHECK(caught(signalled({{"signal", "atomic"}, {"relaxed_ordering", "all"}}), 50) == 0);
  CHECK(caught(signalled({{"signal", "atomic"}, {"placement", "out_of_order"}}), 50) == 0);
}

}  // namespace
}  // namespace gicsim
