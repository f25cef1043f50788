// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/base/random.h"
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {

/// Random scenarios.
struct Draw {
  RandomStream random;
  explicit Draw(std::uint64_t seed, const char* name) : random(seed, name) {}
  std::string one_of(std::initializer_list<const char*> list) { return *(list.begin() + random.below(list.size())); }
  bool chance(int percent) { return random.below(100) < static_cast<std::uint64_t>(percent); }
};

/// A counter, over all modules.
inline std::int64_t sum(const report::Finished& f, const std::string& counter) {
  std::int64_t all = 0;
  for (const report::Counter& c : f.counters)
    if (c.name == counter) all += c.value;
  return all;
}

}  // namespace gicsim
