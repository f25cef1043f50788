// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/gpu/thread.h"
#include "scenarios/paths/request.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// What both GPU paths share: the thread, its buffers, the receiving side.
class GpuEnd : public Channel {
 public:
  /// @param number  of the thread: with its scenario's threads and sms, says where it runs
  GpuEnd(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
         std::size_t number);

  Task arrival(Operation operation) override;
  Address told_at(const Operation& operation) const override;
  void seen(Message& message) override;
  Kernel& kernel() override { return thread_.kernel(); }
  const std::string& who() const override { return thread_.who(); }
  Picoseconds issue_busy() const override { return gpu_.stats().issue_busy; }

  /// Where this end's peer writes to.
  Address buffer() const { return buffer_; }
  void connect(Address remote) { remote_ = remote; }

 protected:
  /// Polls a line of own memory for a value, or a greater one.
  Task see(Address address, std::uint64_t value);
  Buffers buffers() const { return {source_, remote_, scenario_.bytes}; }

  system::System& system_;
  const schema::Scenario& scenario_;
  gpu::Gpu& gpu_;
  gpu::Thread thread_;
  Bytes mtu_;
  Address buffer_, source_;
  Address remote_ = 0;
};

}  // namespace gicsim::paths
