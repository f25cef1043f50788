// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>

#include "models/gpu/stream.h"
#include "models/gpu/thread.h"
#include "models/host/core.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// A stream as a CPU thread drives it: runtime calls that queue a kernel or a copy, ring the GPU's
/// doorbell and return; a wait for the release that follows each of them in host memory.
///
/// A call's `ledger` follows the calls and the GPU until the release, `data` forks off it where the
/// copied bytes, or the kernel's store, leave.
class CudaStream {
 public:
  CudaStream(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
             std::size_t number, host::Core& core);

  /// Launches the scenario's kernel, of which one thread stores `value` to `flag` once all blocks have room.
  Task launch(Address flag, std::uint64_t value, Ledger* ledger, Ledger* data);
  struct Copy {
    Direction direction = Direction::d2h;
    Address from = 0, to = 0;
    Bytes bytes{};
    std::uint64_t value = 0;  ///< left in the last piece's line
  };
  /// An asynchronous copy between pinned and GPU memory.
  Task copy(Copy copy, Ledger* ledger, Ledger* data = nullptr);
  /// A copy between pageable and GPU memory: piece after piece through a pinned buffer, copied by the
  /// core. Ends when the core is through: to the host, all is done then. The pinned buffer is taken
  /// to be large enough that the engine never waits for one of its pieces.
  Task copy_pageable(Copy copy, Ledger* ledger, Ledger* data = nullptr);
  /// Waits for all that was queued.
  Task synchronize(Ledger* ledger);

  /// The line in which the end of a copy is seen.
  Address last_piece(const Copy& copy) const;

 private:
  struct Job {
    bool kernel = false;
    Copy copy;
    Ledger *ledger = nullptr, *data = nullptr;
  };
  void queue(Job job);
  void ring(Ledger* ledger);
  host::Core::Poll released(std::uint64_t number);
  Task serve();

  Kernel& kernel_;
  system::Node& node_;
  std::size_t pair_;
  const RuntimeParams& runtime_;
  host::Core& core_;
  gpu::Gpu& gpu_;
  gpu::Multiprocessors& multiprocessors_;
  gpu::Grid grid_;
  gpu::Stream stream_;
  std::optional<gpu::Thread> kernel_thread_;  ///< once there is a kernel
  Address bounce_, semaphore_;
  std::deque<Job> jobs_;
  std::uint64_t queued_ = 0;
};

}  // namespace gicsim::paths
