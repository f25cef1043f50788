// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/paths/channel.h"
#include "scenarios/paths/cuda_stream.h"

namespace gicsim::paths {

/// A CPU thread that queues a copy to the host, then one from it, each in a stream and by an engine of
/// its own, and waits for both. An operation is both copies; its ledgers are those of the copy that
/// the thread has to wait for longer.
class CopyBothWays final : public Channel {
 public:
  CopyBothWays(system::System& system, const schema::Scenario& scenario);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message& message) override;
  Task arrival(Operation) override { co_return; }
  void seen(Message&) override {}
  Task acquire(Message&) override { co_return; }
  bool has_room(Bytes, Count) const override { return true; }
  Kernel& kernel() override { return system_.kernel(); }
  const std::string& who() const override { return core_.who(); }
  Picoseconds issue_busy() const override { return core_.host().stats().core_busy; }

 private:
  CudaStream::Copy copy(Direction direction, const Operation& operation) const;

  system::System& system_;
  const schema::Scenario& scenario_;
  host::Core core_;
  CudaStream up_, down_;
  Ledger down_ledger_, down_data_;  ///< of the copy from the host; the message's own follow the other
};

/// The far end of what nobody looks for.
class Nobody final : public Channel {
 public:
  explicit Nobody(system::System& system) : system_(system) {}

  Task post(Operation, Message&, bool) override { co_return; }
  Task wait(Message&) override { co_return; }
  Task arrival(Operation) override { co_return; }
  void seen(Message&) override {}
  Task acquire(Message&) override { co_return; }
  bool has_room(Bytes, Count) const override { return true; }
  Kernel& kernel() override { return system_.kernel(); }
  const std::string& who() const override { return who_; }
  Picoseconds issue_busy() const override { return {}; }

 private:
  system::System& system_;
  std::string who_ = "nobody";
};

}  // namespace gicsim::paths
