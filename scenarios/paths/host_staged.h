// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/gpu/thread.h"
#include "scenarios/paths/cpu_end.h"
#include "scenarios/paths/cuda_stream.h"

namespace gicsim::paths {

/// Three hops: a copy engine brings the data to host memory, the CPU thread posts from there to the
/// far host's memory, whose CPU thread sees it and has it copied up, where a GPU thread polls.
/// A completion says that the data are in the far host's memory. Messages aren't cut into chunks that
/// overlap; those of a stream overlap as messages do.
class HostStaged final : public CpuEnd {
 public:
  HostStaged(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
             std::size_t number, system::Queue queue);

  Task post(Operation operation, Message& message, bool ring) override;
  Task arrival(Operation operation) override;
  void seen(Message& message) override;
  Task acquire(Message& message) override;

 private:
  Task copy(CudaStream& stream, const CudaStream::Copy& copy, Ledger* ledger, Ledger* data);
  CudaStream::Copy upward(std::uint64_t value) const;
  Task forward();

  gpu::Gpu& gpu_;
  CudaStream down_, up_;
  gpu::Thread thread_;
  Address gpu_source_, gpu_buffer_;
  Ledger arrived_, copied_;  ///< from the flag seen by the CPU: until released; until in GPU memory
};

}  // namespace gicsim::paths
