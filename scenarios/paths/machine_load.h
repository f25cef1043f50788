// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// What shares the machine with what is measured, and meets it on the links: copies between GPU and pinned host memory,
/// one after another through the copy engine of each GPU that takes part, and storage that reads or writes host or GPU
/// memory, so many accesses at a time. Nobody calls for them, so no CPU takes part. A thread at the far node that adds to the
/// word of the near one's atomics. And the kernel that runs beside, whose blocks hold multiprocessors. They end with the
/// workload, or when that has got no further for `patience`, and keep no run alive.
class MachineLoad {
 public:
  /// @param ended  how many messages of the workload have ended; nothing: all
  using Ended = std::function<std::optional<std::uint64_t>()>;
  MachineLoad(system::System& system, const schema::Scenario& scenario, Ended ended)
      : system_(system), scenario_(scenario), ended_(std::move(ended)) {}
  void start();

 private:
  static constexpr Picoseconds patience = 100ms;
  void start_copies(std::size_t node, std::size_t pair, Direction direction);
  void start_storage(std::size_t node, std::size_t device);
  Task copy(gpu::CopyEngine& engine, Address from, Address to);
  Task access(dma::Engine& engine, Address at);
  Task kernels(std::size_t node, std::size_t gpu);
  Task add_by_gpu(std::size_t node);
  Task add_by_cpu(std::size_t node);
  bool goes_on();

  system::System& system_;
  const schema::Scenario& scenario_;
  Ended ended_;
  std::uint64_t ended_before_ = 0;
  Picoseconds got_on_{};
};

}  // namespace gicsim::paths
