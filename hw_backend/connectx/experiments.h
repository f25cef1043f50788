// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw_backend/core/experiment.h"

namespace gicsim::hw {

/// What a GPU posts to a ConnectX, GPU memory to GPU memory. Four ways, as far as the machine has them: rings in host
/// or GPU memory (`queues`), rung by the GPU (path gpu_direct) or by a CPU thread (cpu_doorbell). Alone, two queue
/// pairs of one port and one GPU meet.
class ConnectxExperiment : public Experiment {
 public:
  static constexpr Needs needs{1, true, true, false};
  std::string unavailable(const Machine& machine, const Options& options) const override;
};

class ConnectxPut final : public ConnectxExperiment {
 public:
  static constexpr std::string_view key = "connectx_put";
  static constexpr std::string_view sentence =
      "one put at a time by a GPU thread, by ordering, payload and size: issue and completion";
  void run(Session& session) override;
};

class ConnectxPingPong final : public ConnectxExperiment {
 public:
  static constexpr std::string_view key = "connectx_ping_pong";
  static constexpr std::string_view sentence =
      "a put there and a put back, each seen by a GPU thread that polls its memory";
  void run(Session& session) override;
};

class ConnectxMessageRate final : public ConnectxExperiment {
 public:
  static constexpr std::string_view key = "connectx_message_rate";
  static constexpr std::string_view sentence =
      "8-byte puts by many GPU threads, a queue pair each: rate by threads and batch";
  void run(Session& session) override;
};

}  // namespace gicsim::hw
