// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>

#include "models/gpu/thread.h"
#include "scenarios/paths/channel.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// A warp that streams from or to host memory: each operation is one load or store of its lanes, side by side, which
/// leaves the GPU in lines of 128 B. Loads come in groups of four a thread, and the next group waits for the last.
/// Stores aren't waited for until too many are outstanding.
class GpuWarp final : public Channel {
 public:
  /// @param number  of the warp: which multiprocessor it is on follows from the scenario
  GpuWarp(system::System& system, const schema::Scenario& scenario, std::size_t number);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message& message) override;
  Task arrival(Operation) override { co_return; }
  void seen(Message&) override {}
  Task acquire(Message&) override { co_return; }
  bool has_room(Bytes bytes, Count n) const override;
  Kernel& kernel() override { return thread_.kernel(); }
  const std::string& who() const override { return thread_.who(); }
  Picoseconds issue_busy() const override { return thread_.gpu().stats().issue_busy; }

 private:
  /// One operation's lines, on their way.
  struct UnderWay final : Initiator {
    UnderWay(GpuWarp& warp, Message& message, int lines) : warp(warp), message(message), left(lines) {}
    void on_transferred(Transfer&) override;
    GpuWarp& warp;
    Message& message;
    int left;
  };
  struct Returned;

  const schema::Scenario& scenario_;
  gpu::Thread thread_;
  Bytes piece_;                    ///< bytes of one operation of the warp
  Address at_;                     ///< where it reads or writes next
  std::deque<UnderWay> under_way_;
  std::coroutine_handle<> waiting_{};
  const Message* wanted_ = nullptr;
};

}  // namespace gicsim::paths
