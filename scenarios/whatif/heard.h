// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "models/protocol/message_ended.h"
#include "scenarios/report/finished.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"
#include "scenarios/whatif/exports.h"
#include "traces/export/exporter.h"

namespace gicsim::whatif {

/// Reads the gauges for one exporter, as often as it wants; keeps no run alive.
class Sampler {
 public:
  Sampler(Kernel& kernel, const schema::Scenario& scenario, const system::System& system, exports::Exporter& exporter)
      : kernel_(kernel), scenario_(scenario), system_(system), levels_(system.levels()), exporter_(exporter) {}
  std::vector<exports::Gauge> gauges();
  void begin();
  void read();
  void on_tick();
  Count ticks() const { return ticks_; }

 private:
  Kernel& kernel_;
  const schema::Scenario& scenario_;
  const system::System& system_;
  system::Levels levels_;
  exports::Exporter& exporter_;
  std::vector<std::int64_t> values_;
  std::size_t size_ = 0;  ///< of a sample
  Count ticks_ = 0;
};

/// Lets exporters hear one run. It lives as long as the run.
class Heard {
 public:
  Heard(const Exporters& exporters, const schema::Scenario& scenario, system::System& system,
        Probe<MessageEnded>& messages, Probe<StepPlayed>* steps = nullptr, std::vector<std::string> ranks = {});
  /// Events of the run that are of samples.
  Count events() const;
  /// The run has ended, however.
  void finish(Status status, Picoseconds elapsed, const std::vector<report::Counter>& ports);

 private:
  Exporters exporters_;
  exports::Machine machine_;
  std::vector<exports::Gauge> gauges_;
  std::deque<Sampler> samplers_;  ///< events refer to them
};

}  // namespace gicsim::whatif
