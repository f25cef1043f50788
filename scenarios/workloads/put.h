// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "scenarios/workloads/workload.h"

namespace gicsim::workloads {

/// Each thread puts one message, waits for its completion, and again; the far end's thread polls
/// for each. Reports issue, one way and put completion.
class Put final : public Workload {
 public:
  using Workload::Workload;
  void start() override;
  bool finished() const override;

 private:
  /// Messages of one pair that haven't ended at both sides, by round. As many as the receiver lags
  /// behind: a put may be complete long before its flag is seen.
  struct Flow {
    std::uint64_t first = 0;
    std::deque<Message*> open;
  };
  Task post(std::size_t i);
  Task receive(std::size_t i);
  Message& message(std::size_t i, std::uint64_t round);
  void end(std::size_t i, Message& message);
  void measure(const Message& message);

  std::vector<Flow> flows_;
  std::uint64_t ended_ = 0;
};

}  // namespace gicsim::workloads
