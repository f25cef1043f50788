// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scenarios/paths/channel.h"
#include "scenarios/paths/cuda_stream.h"

namespace gicsim::paths {

/// A CPU thread that launches kernels, or copies, and waits for each. No peer.
class RuntimeCaller final : public Channel {
 public:
  RuntimeCaller(system::System& system, const schema::Scenario& scenario);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message& message) override;
  Task arrival(Operation) override { co_return; }
  void seen(Message&) override {}
  Task acquire(Message&) override { co_return; }
  bool has_room(Bytes, Count) const override { return true; }
  Kernel& kernel() override { return system_.kernel(); }
  const std::string& who() const override { return core_.who(); }
  Picoseconds issue_busy() const override { return core_.host().stats().core_busy; }

  /// Where the last posted operation's effect is seen.
  Address target(const Operation& operation) const;

 private:
  CudaStream::Copy copy(const Operation& operation) const;

  system::System& system_;
  const schema::Scenario& scenario_;
  host::Core core_;
  CudaStream stream_;
};

/// Whoever looks for what a RuntimeCaller had done: a second core at host memory, a GPU thread at the GPU's.
class Observer final : public Channel {
 public:
  Observer(system::System& system, const schema::Scenario& scenario, const RuntimeCaller& watched);

  Task post(Operation, Message&, bool) override { co_return; }
  Task wait(Message&) override { co_return; }
  Task arrival(Operation operation) override;
  void seen(Message& message) override;
  Task acquire(Message&) override { co_return; }
  bool has_room(Bytes, Count) const override { return true; }
  Kernel& kernel() override { return system_.kernel(); }
  const std::string& who() const override { return thread_ ? thread_->who() : core_->who(); }
  Picoseconds issue_busy() const override { return {}; }

 private:
  system::System& system_;
  const RuntimeCaller& watched_;
  Cycles loop_;
  std::optional<host::Core> core_;
  std::optional<gpu::Thread> thread_;
};

}  // namespace gicsim::paths
