// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "scenarios/workloads/workload.h"

namespace gicsim::workloads {

/// Each thread posts as fast as its queue takes messages, a doorbell a batch. The window runs from
/// the completion of the last warm-up message to that of the last one, and holds what completed
/// in between: of a batch, all at once.
class PutBw final : public Workload {
 public:
  using Workload::Workload;
  void start() override;
  bool finished() const override { return ended_ == rounds() * pairs_.size(); }

 private:
  Task post(std::size_t i);
  void end(Message& message, Picoseconds now);

  std::uint64_t ended_ = 0;
  std::size_t warm_threads_ = 0;
};

}  // namespace gicsim::workloads
