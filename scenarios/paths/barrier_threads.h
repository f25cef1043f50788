// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "models/host/core.h"
#include "scenarios/paths/barrier_member.h"
#include "scenarios/paths/gpu_direct.h"

namespace gicsim::paths {

/// A GPU thread that posts atomics and polls words in its GPU's memory.
class GpuBarrierThread final : public BarrierThread {
 public:
  GpuBarrierThread(system::System& system, const schema::Scenario& scenario, std::size_t node, std::vector<SendQueue*> queues)
      : end_(system, scenario, node, scenario.routes[0].gpu, 0, std::move(queues)) {}

  Task tell(std::size_t link, Address word, Message& message) override;
  Task see(Address word, std::uint64_t value, Message& message) override;
  Task poke(Address address, std::uint64_t value, Message& message) { return end_.poke(address, value, message); }
  Task reclaim() override;
  Kernel& kernel() override { return end_.kernel(); }
  const std::string& who() const override { return end_.who(); }
  Picoseconds busy() const override { return end_.issue_busy(); }

 private:
  GpuDirect end_;
  std::deque<Message> messages_;  ///< as many as one barrier takes
  std::size_t told_ = 0;          ///< in this one
};

/// A CPU thread that posts atomics by verbs and polls words in host memory.
class CpuBarrierThread final : public BarrierThread {
 public:
  CpuBarrierThread(system::System& system, const schema::Scenario& scenario, std::size_t node,
                   std::vector<system::Queue> queues);

  Task tell(std::size_t link, Address word, Message& message) override;
  Task see(Address word, std::uint64_t value, Message& message) override;
  Task reclaim() override;
  Kernel& kernel() override { return system_.kernel(); }
  const std::string& who() const override { return core_.who(); }
  Picoseconds busy() const override { return core_.host().stats().core_busy; }

 private:
  struct Link {
    system::Queue queue;
    std::uint32_t producer = 0, completed = 0;
  };
  system::System& system_;
  const VerbsParams& verbs_;
  host::Core core_;
  std::vector<Link> links_;
};

}  // namespace gicsim::paths
