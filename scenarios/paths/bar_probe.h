// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/gpu/thread.h"
#include "models/host/core.h"
#include "scenarios/paths/channel.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// A CPU thread that stores into a mapped window of a GPU: a copy call that returns behind a store fence, or the ping
/// of a ping-pong, whose answer it polls for in host memory.
class BarWriter final : public Channel {
 public:
  BarWriter(system::System& system, const schema::Scenario& scenario);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message&) override { co_return; }
  Task arrival(Operation operation) override;
  void seen(Message& message) override;
  Task acquire(Message&) override { co_return; }
  bool has_room(Bytes, Count) const override { return true; }
  Kernel& kernel() override { return core_.host().kernel(); }
  const std::string& who() const override { return core_.who(); }
  Picoseconds issue_busy() const override { return core_.host().stats().core_busy; }

 private:
  const schema::Scenario& scenario_;
  host::Core core_;
};

/// The GPU thread that polls its own memory for what the CPU stored, and in a ping-pong answers in host memory.
class BarReader final : public Channel {
 public:
  BarReader(system::System& system, const schema::Scenario& scenario);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message&) override { co_return; }
  Task arrival(Operation operation) override;
  void seen(Message& message) override;
  Task acquire(Message&) override { co_return; }
  bool has_room(Bytes, Count) const override { return true; }
  Kernel& kernel() override { return thread_.kernel(); }
  const std::string& who() const override { return thread_.who(); }
  Picoseconds issue_busy() const override { return thread_.gpu().stats().issue_busy; }

 private:
  const schema::Scenario& scenario_;
  gpu::Thread thread_;
};

}  // namespace gicsim::paths
