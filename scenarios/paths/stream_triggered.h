// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/gpu/stream.h"
#include "scenarios/paths/cpu_end.h"

namespace gicsim::paths {

/// The stream posts: a CPU thread has built the WQEs and queued memory operations in advance, the
/// GPU's front end writes record and doorbell, and waits for the CQE in host memory. A message begins
/// when the stream comes to its first command. Arrivals are waited for by the peer's stream, in GPU memory.
class StreamTriggered final : public Channel {
 public:
  StreamTriggered(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
                  std::size_t number, system::Queue queue);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message& message) override;
  bool retire(const Message& message) override;
  Task arrival(Operation operation) override;
  void seen(Message& message) override;
  Task acquire(Message&) override { co_return; }
  bool has_room(Bytes, Count n) const override {
    return producer_ + static_cast<std::uint32_t>(n) - completed_ <= queue_.depth;
  }
  Kernel& kernel() override { return system_.kernel(); }
  const std::string& who() const override { return stream_.who(); }
  Picoseconds issue_busy() const override { return core_.host().stats().core_busy; }
  std::string queue_pair(const Message&) const override { return name_of(queue_); }

  Address buffer() const { return buffer_; }
  void connect(Address remote) { remote_ = remote; }

 private:
  Task prepare();
  bool far_enough_ahead() const;

  system::System& system_;
  const schema::Scenario& scenario_;
  host::Core core_;
  gpu::Gpu& gpu_;
  gpu::Stream stream_;
  system::Queue queue_;
  Bytes mtu_;
  Address source_, buffer_, remote_ = 0;
  std::uint64_t prepared_ = 0;     ///< operations with their commands rung
  std::uint32_t producer_ = 0;     ///< operations that the stream has come to
  std::uint32_t completed_ = 0, seen_ = 0;
  Task::Handle preparing_;         ///< the CPU's program, when it is far enough ahead
};

}  // namespace gicsim::paths
