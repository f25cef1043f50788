// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "scenarios/workloads/workload.h"

namespace gicsim::workloads {

/// Each thread posts as fast as its queue takes messages, a doorbell a batch. The window runs from
/// the completion of the last warm-up message of all threads to that of the last one, and counts
/// what completes inside. Where nothing is left (one batch holds all), it is the whole run.
class PutBw final : public Workload {
 public:
  using Workload::Workload;
  void start() override;
  bool finished() const override { return ended_ == rounds() * pairs_.size(); }

 private:
  Task post(std::size_t i);
  void end(Message& message, Picoseconds now);

  std::uint64_t ended_ = 0;
};

}  // namespace gicsim::workloads
