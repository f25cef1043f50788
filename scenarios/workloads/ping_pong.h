// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scenarios/workloads/load.h"
#include "scenarios/workloads/workload.h"

namespace gicsim::workloads {

/// A put and its reply in turn, each seen by a polling thread. The round trip runs from the call
/// until the reply is observed: seen and acquired, as at the far end; its ledger goes both ways. Each
/// side reclaims its own completion after that, off the measured way. Under load the first pair pings
/// while both ends of all others put.
class PingPong final : public Workload {
 public:
  PingPong(std::vector<Pair> pairs, const schema::Scenario& scenario);
  void start() override;
  bool finished() const override { return ended_ == rounds() * turns_.size() && (!load_ || load_->drained()); }

  const Measured& measured() override {
    if (load_) measured_.load_rate = load_->rate(), measured_.load_messages = load_->carried();
    return measured_;
  }

 private:
  /// The two messages under way between a pair of threads.
  struct Turn {
    Message ping, pong;
  };
  paths::Operation operation(std::uint64_t round) const {
    return {.verb = schema::verb(scenario_), .bytes = scenario_.bytes, .value = round + 1};
  }
  Task ping(std::size_t i);
  Task pong(std::size_t i);
  void end(std::size_t i, Message& reply);

  std::vector<Turn> turns_;
  std::optional<Load> load_;
};

}  // namespace gicsim::workloads
