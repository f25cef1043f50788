// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/paths/gpu_end.h"
#include "scenarios/paths/proxy_worker.h"

namespace gicsim::paths {

/// The GPU writes a request into a ring in host memory, a CPU thread posts it; the completion comes
/// back through a counter that the CPU writes. A thread has a ring of its own, or shares one with
/// neighbours, and then reserves slots with an atomic.
class CpuProxy final : public GpuEnd {
 public:
  CpuProxy(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
           std::size_t number, RequestRing& ring);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message& message) override;
  bool retire(const Message& message) override;
  Task acquire(Message& message) override;
  bool has_room(Bytes bytes, Count n) const override;

 private:
  Task await_room(std::uint64_t index);
  bool full(std::uint64_t index) const { return index + 1 - seen_ > ring_.depth; }
  void note(const Content& counter);

  const ProxyParams& params_;
  RequestRing& ring_;
  std::uint64_t completed_ = 0;  ///< requests that the workload knows of
  std::uint64_t seen_ = 0;       ///< this thread's copy of the counter
};

}  // namespace gicsim::paths
