// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <optional>
#include <string_view>

#include "models/base/describe.h"
#include "models/base/random.h"

namespace gicsim {

/// The named sources of spread between equal operations. All are off by default: a stage then takes its
/// mean each time. One instance a system.
struct SpreadParams {
  bool poll_phase = false;
  bool cpu_scheduling = false;
  Count cpu_away_every = 1000;
  Picoseconds cpu_away = 5us;
  bool clock_crossing = false;
  Frequency nic_clock = 1_GHz;
  Frequency pcie_clock = 1_GHz;
  bool write_commit = false;
  Picoseconds write_commit_wait = 500ns;
  Count memory_channels = 16;
  bool placement = false;
  Picoseconds placement_wait = 300ns;

  constexpr bool any() const { return poll_phase || cpu_scheduling || clock_crossing || write_commit || placement; }
};

template <class V>
constexpr void describe(V&& v, SpreadParams& p) {
  v("poll_phase", p.poll_phase,
    "a poller's sample falls anywhere in one turn of its loop after the write; off: in the middle", assumed("A-110"));
  v("cpu_scheduling", p.cpu_scheduling, "a core that polls is now and then away when it should wake up",
    assumed("A-111"));
  v("cpu_away_every", p.cpu_away_every, "one wake-up in so many finds the core away, on average", assumed("A-112"),
    within(1, 1'000'000'000));
  v("cpu_away", p.cpu_away, "mean of the exponentially distributed time until the core is back", assumed("A-113"),
    within(0ns, 1s));
  v("clock_crossing", p.clock_crossing,
    "what enters a clock domain waits up to one cycle for the next edge; off: half a cycle, which is part of the stage",
    assumed("A-114"));
  v("nic_clock", p.nic_clock, "of a NIC's pipelines, for clock_crossing", assumed("A-115"), within(100_MHz, 10_GHz));
  v("pcie_clock", p.pcie_clock, "of a PCIe switch's or root complex's core, for clock_crossing", assumed("A-116"),
    within(100_MHz, 10_GHz));
  v("write_commit", p.write_commit,
    "an inbound write waits at its memory channel behind what others have queued there, before it is visible",
    assumed("A-193"));
  v("write_commit_wait", p.write_commit_wait, "longest such wait, all shorter ones as likely", assumed("A-193"),
    within(0ns, 1ms));
  v("memory_channels", p.memory_channels, "channels that a memory's lines are spread over, each in order",
    assumed("A-193"), within(1, 1024));
  v("placement", p.placement,
    "a NIC's receive engines take up packets of a queue pair with out-of-order placement at different times",
    assumed("A-197"));
  v("placement_wait", p.placement_wait, "longest time until one does, all shorter ones as likely", assumed("A-197"),
    within(0ns, 1ms));
}
static_assert(fully_described<SpreadParams>());

/// What a module needs to draw its own numbers: the sources that are on, and the run's seed.
struct Spread {
  SpreadParams params{};
  std::uint64_t seed = 0;
};

/// Where in its loop a poller is when what it waits for is there: in the middle, or anywhere.
class PollPhase {
 public:
  PollPhase(const Spread& spread, std::string_view who) {
    if (spread.params.poll_phase) random_.emplace(spread.seed, who);
  }
  /// From the write to the next sample, 0 to `turn`. On average half of it, drawn or not.
  Picoseconds until_sample(Picoseconds turn) {
    if (!random_) return turn / 2;
    return Picoseconds{static_cast<std::int64_t>(random_->below(static_cast<std::uint64_t>(turn.count()) + 1))};
  }

 private:
  std::optional<RandomStream> random_;
};

}  // namespace gicsim
