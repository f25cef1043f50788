// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "models/gpu/thread.h"
#include "scenarios/paths/cpu_end.h"
#include "scenarios/paths/loopback_read.h"

namespace gicsim::paths {

/// A CPU thread posts; what a NIC reads and what one writes lies in GPU or host memory, as `gdr` says: of a
/// get the NIC that reads is the far one. Arrivals
/// are seen by a GPU thread, or by the CPU thread: in host memory through its caches, in GPU memory
/// by reads of the GPU's window, as perftest does with GPU buffers.
class CpuPost final : public CpuEnd {
 public:
  CpuPost(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
          std::size_t number, system::Queue queue);

  Task post(Operation operation, Message& message, bool ring) override { return submit(operation, message, ring); }
  Task arrival(Operation operation) override;
  Address told_at(const Operation& operation) const override;
  void seen(Message& message) override;
  Task acquire(Message& message) override;
  std::optional<Picoseconds> flushed() const override {
    return scenario_.flush == Flush::none ? std::nullopt : std::optional(flush_.total());
  }

 private:
  schema::Flow flushed_through(std::size_t pair) const;
  Task flush();
  Task see(Address address, std::function<bool(const Content&)> wanted, std::string what);

  gpu::Gpu& gpu_;
  std::optional<gpu::Thread> thread_;  ///< the receiver, if it is one
  std::optional<Receives> receives_;   ///< if messages need them
  std::optional<LoopbackRead> loopback_;  ///< flush: loopback, other_nic
  Ledger flush_;                       ///< the last one, from where the thread was told
};

}  // namespace gicsim::paths
