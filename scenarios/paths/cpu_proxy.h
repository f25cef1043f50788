// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "models/host/core.h"
#include "scenarios/paths/gpu_end.h"

namespace gicsim::paths {

/// One proxy worker: a core that serves the request rings of its node's GPU threads and the
/// completion queues of its own queue pairs.
class ProxyWorker {
 public:
  ProxyWorker(system::System& system, const schema::Scenario& scenario, std::size_t node);

  struct Ring {
    Address requests = 0;   ///< 16 B a slot, in host memory
    Address counter = 0;    ///< completed requests, in GPU or host memory
    system::Queue queue;
    std::uint32_t depth = 0;
  };
  /// A ring with its own queue pair; starts the worker's programs for it.
  const Ring& add_ring(std::size_t pair, system::Queue queue, Address gpu_counter);

 private:
  Task serve(const Ring& ring);
  Task complete(const Ring& ring);

  system::System& system_;
  const schema::Scenario& scenario_;
  const ProxyParams& params_;
  host::Core core_;
  std::vector<std::unique_ptr<Ring>> rings_;
};

/// The GPU writes a request into host memory, a CPU thread posts it; the completion comes back
/// through a counter that the CPU writes.
class CpuProxy final : public GpuEnd {
 public:
  CpuProxy(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
           std::size_t number, system::Queue queue, ProxyWorker& worker);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message& message) override;
  bool retire(const Message& message) override;
  Task acquire(Message& message) override;
  bool has_room(Bytes bytes, Count n) const override;

 private:
  const ProxyParams& params_;
  const ProxyWorker::Ring& ring_;
  std::uint32_t producer_ = 0, completed_ = 0;  ///< requests
  std::uint64_t seen_ = 0;                      ///< the counter as polled last
};

}  // namespace gicsim::paths
