// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/workloads/workload.h"

namespace gicsim::workloads {

/// Each thread posts as fast as its queue takes messages, a doorbell a batch, and looks for completions
/// when the queue is full. The window runs from when the warm-up of every thread is complete until all
/// of the first's are: what is counted ended while all were posting. A message counts when its
/// completion is in memory, not when its thread comes to look. At most a quarter of the measured
/// messages are under way at once, or a long queue would show how fast it fills.
class PutBw final : public Workload {
 public:
  using Workload::Workload;
  void start() override;
  bool finished() const override { return ended_ == rounds() * pairs_.size(); }

 private:
  Task post(std::size_t i);
  Task receive(std::size_t i);
  void end(std::size_t thread, Message& message, Picoseconds complete);
  void count();

  struct End {
    Picoseconds at{};
    std::size_t thread = 0;
  };
  std::vector<End> ends_;  ///< of all messages
};

}  // namespace gicsim::workloads
