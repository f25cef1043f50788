// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "models/gpu/thread.h"
#include "models/host/core.h"
#include "scenarios/paths/channel.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// A GPU thread that does one thing to a memory and waits for it: a load, an atomic, a fence behind stores, a doorbell
/// that a CPU thread answers. What it prepares (the stores before a fence) isn't part of the message. No NIC takes part.
class GpuProbe final : public Channel {
 public:
  GpuProbe(system::System& system, const schema::Scenario& scenario);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message& message) override;
  Task arrival(Operation) override { co_return; }
  void seen(Message&) override {}
  Task acquire(Message&) override { co_return; }
  bool has_room(Bytes, Count) const override { return true; }
  Kernel& kernel() override { return system_.kernel(); }
  const std::string& who() const override { return thread_.who(); }
  Picoseconds issue_busy() const override { return thread_.gpu().stats().issue_busy; }

 private:
  void begin(Message& message);
  Task fence(Message& message);
  /// Where the next load of a walk goes.
  Address next_load();
  std::uint64_t stop_ = 0;

  system::System& system_;
  const schema::Scenario& scenario_;
  gpu::Thread thread_;
  Address base_;             ///< of the memory that it touches
  std::uint64_t word_ = 0;   ///< what an atomic works on
};

/// The CPU thread that sees a doorbell in host memory and answers there.
class Answerer final : public Channel {
 public:
  Answerer(system::System& system, const schema::Scenario& scenario);

  Task post(Operation, Message&, bool) override { co_return; }
  Task wait(Message&) override { co_return; }
  Task arrival(Operation operation) override;
  void seen(Message& message) override;
  Task acquire(Message&) override { co_return; }
  bool has_room(Bytes, Count) const override { return true; }
  Kernel& kernel() override { return core_.host().kernel(); }
  const std::string& who() const override { return core_.who(); }
  Picoseconds issue_busy() const override { return core_.host().stats().core_busy; }

 private:
  host::Core core_;
  Cycles loop_;
  std::uint64_t rung_ = 0;  ///< the doorbell seen last
};

}  // namespace gicsim::paths
