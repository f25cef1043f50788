// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "scenarios/workloads/workload.h"

namespace gicsim::workloads {

/// Each thread begins one operation, waits for its completion, and again: put, get, atomic, put_signal,
/// quiet, and the probes. Where the far end has something to look for, its thread polls for each.
/// Reports issue, one way and completion; of a probe, what corresponds to them.
class OneOutstanding final : public Workload {
 public:
  using Workload::Workload;
  void start() override;
  bool finished() const override { return ended_ == rounds() * pairs_.size(); }

 private:
  Task post(std::size_t i);
  Task receive(std::size_t i);
  paths::Operation operation(std::uint64_t round) const;
  /// Somebody looks for what arrives.
  bool received() const {
    const bool alone = (is_gpu_probe(scenario_.pattern) && scenario_.pattern != Pattern::doorbell_echo) || is_dma(scenario_.pattern);
    return carries(schema::verb(scenario_)) && !alone && !schema::both_ways(scenario_);
  }
  /// A get's data and its CQE go to one memory: then the CQE has to be behind them.
  bool fetched_beside_queue() const {
    return schema::verb(scenario_) == Verb::get && builds_on_gpu(scenario_.path) && scenario_.queues == Queues::gpu;
  }
  void end(std::size_t i, Message& message);

  std::vector<std::deque<Message*>> under_way_;  ///< not yet seen at the far end, in order
};

}  // namespace gicsim::workloads
