// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/core.h"
#include "scenarios/paths/gpu_direct.h"

namespace gicsim::paths {

/// A CPU thread that rings for its node's GPU threads: sees how far a queue has been filled, updates
/// its record, rings. Needed where the NIC's registers can't be mapped into a GPU.
class Ringer {
 public:
  Ringer(system::System& system, const schema::Scenario& scenario, std::size_t node);
  /// Serves a queue whose published index lies at `published`.
  void add(system::Queue queue, Address published);

 private:
  Task serve(system::Queue queue, Address published);

  system::System& system_;
  const VerbsParams& verbs_;
  host::Core core_;
  std::size_t queues_ = 0;
};

/// The GPU builds the WQE and publishes its index in host memory; a CPU thread rings; the GPU polls
/// the completion queue.
class CpuDoorbell final : public GpuDirect {
 public:
  CpuDoorbell(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
              std::size_t number, system::Queue queue, Ringer& ringer);
};

}  // namespace gicsim::paths
