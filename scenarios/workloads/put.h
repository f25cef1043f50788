// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "scenarios/workloads/workload.h"

namespace gicsim::workloads {

/// Each thread puts one message, waits for its completion, and again; the far end's thread polls
/// for each. Reports issue, one way and put completion; of a probe, what corresponds to them.
class Put final : public Workload {
 public:
  using Workload::Workload;
  void start() override;
  bool finished() const override;

 private:
  Task post(std::size_t i);
  Task receive(std::size_t i);
  paths::Operation operation(std::uint64_t round) const;
  void end(Message& message);

  std::vector<std::deque<Message*>> under_way_;  ///< not yet seen at the far end, in order
  std::uint64_t ended_ = 0;
};

}  // namespace gicsim::workloads
