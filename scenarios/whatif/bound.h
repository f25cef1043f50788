// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/report/finished.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::whatif {

/// How long something has been in use since the start.
struct Use {
  std::string resource;  ///< "node0_nic0_link_up.link"
  Picoseconds busy{};
  double servers = 1;    ///< as many in parallel
  /// Works on things; holds them (tags, buffers, WQEs in fetch); holds operations until they are complete.
  enum Kind { server, window, operations } kind = server;
};
using Uses = std::vector<Use>;

/// All that can saturate, always in the same order.
Uses uses(const schema::Scenario& scenario, const system::System& system);

/// The busiest server between two looks; what holds things only when no server is saturated, as it fills up behind a
/// saturated server, and what holds operations only when no such window is full either.
report::Bound busiest(const Uses& before, const Uses& after, Picoseconds elapsed);
/// A resource busy for that share of the time binds by itself.
inline constexpr double saturated = 0.9;

/// What binds a run: of a latency the largest stage, of a throughput the busiest resource of the
/// measured window, which `before` and `after` enclose.
std::optional<report::Bound> bound(const report::Finished& finished, const schema::Scenario& scenario,
                                   const Uses& before, const Uses& after, Picoseconds elapsed);

/// Makes the binding resource twice as fast. @return what was changed; empty: nothing to widen
std::string widen(schema::Scenario& scenario, const report::Bound& bound);

/// By which fraction the headline improves: a latency falls, a rate rises.
double improvement(double before, double after, Quantity headline);

}  // namespace gicsim::whatif
