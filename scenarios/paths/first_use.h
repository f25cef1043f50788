// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "scenarios/paths/channel.h"
#include "scenarios/schema/scenario.h"

namespace gicsim::paths {

/// A connection that nobody set up in advance: its first operation makes the queue pair, connects it and
/// registers what is sent from and written to, then goes the path's own way.
class FirstUse final : public Channel {
 public:
  FirstUse(std::unique_ptr<Channel> channel, const SetupParams& setup)
      : channel_(std::move(channel)), setup_(setup) {}

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message& message) override { return channel_->wait(message); }
  Task quiet(Message& message) override { return channel_->quiet(message); }
  bool retire(const Message& message) override { return channel_->retire(message); }
  Task arrival(Operation operation) override { return channel_->arrival(operation); }
  Address told_at(const Operation& operation) const override { return channel_->told_at(operation); }
  void seen(Message& message) override { channel_->seen(message); }
  Task acquire(Message& message) override { return channel_->acquire(message); }
  bool has_room(Bytes bytes, Count n) const override { return channel_->has_room(bytes, n); }
  std::string queue_pair(const Message& message) const override { return channel_->queue_pair(message); }
  Kernel& kernel() override { return channel_->kernel(); }
  const std::string& who() const override { return channel_->who(); }
  Picoseconds issue_busy() const override { return channel_->issue_busy(); }

 private:
  std::unique_ptr<Channel> channel_;
  const SetupParams& setup_;
  bool ready_ = false;
};

}  // namespace gicsim::paths
