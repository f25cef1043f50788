// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <vector>

#include "scenarios/workloads/workload.h"

namespace gicsim::workloads {

/// All nodes, one thread each, meet in one barrier after the other. They come to each at the same instant, and it has taken
/// as long as its last member; what they told is taken back before the next.
class BarrierRounds final : public Workload {
 public:
  using Workload::Workload;
  void start() override;
  bool finished() const override { return ended_ == rounds() * pairs_.size(); }

 private:
  Task meet(std::size_t member);
  /// Until all members are here.
  struct All;

  std::vector<std::coroutine_handle<>> here_;
  std::size_t out_ = 0;  ///< through the present one
};

}  // namespace gicsim::workloads
