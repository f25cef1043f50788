// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "models/base/probe.h"
#include "models/protocol/message_ended.h"
#include "scenarios/paths/channel.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::workloads {

/// Puts that share the machine with what is measured: each channel posts as fast as its queue takes
/// them, or a batch a `load_gap`, until it is told to stop; then all are waited for.
class Load {
 public:
  /// @param channels  of pairs, one end after the other
  Load(std::vector<paths::Channel*> channels, const schema::Scenario& scenario, const Probe<MessageEnded>& told)
      : channels_(std::move(channels)), scenario_(scenario), told_(told) {}

  void start();
  /// From now on completions count.
  void measure(Picoseconds now) { begin_ = now; }
  void stop(Picoseconds now) { end_ = now; }
  bool drained() const { return ended_ == channels_.size(); }
  /// Puts a microsecond that completed between measure() and stop(), all channels together.
  double rate() const;
  Count carried() const { return carried_; }

 private:
  Task post(std::size_t i);
  void end(std::size_t i, Message& message);
  bool stopped() const { return end_ != Picoseconds{}; }
  void count(Picoseconds complete);

  std::vector<paths::Channel*> channels_;
  const schema::Scenario& scenario_;
  const Probe<MessageEnded>& told_;
  MessagePool messages_;
  Picoseconds begin_ = Picoseconds::max(), end_{};
  Count carried_ = 0;
  std::size_t ended_ = 0;
};

}  // namespace gicsim::workloads
