// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "models/dma/stream.h"
#include "scenarios/paths/channel.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// A DMA device that reads and writes a window of host memory, as a measuring card does: one access after the other,
/// or as many as it can have under way. A read and write together are one operation.
class DmaProbe final : public Channel, private dma::Client {
 public:
  DmaProbe(system::System& system, const schema::Scenario& scenario);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message& message) override;
  bool retire(const Message& message) override { return !open_.contains(&message); }
  Task arrival(Operation) override { co_return; }
  void seen(Message&) override {}
  Task acquire(Message&) override { co_return; }
  bool has_room(Bytes, Count n) const override;
  Kernel& kernel() override { return engine_.kernel(); }
  const std::string& who() const override { return who_; }
  Picoseconds issue_busy() const override { return {}; }

 private:
  struct Done final : Obstacle {
    DmaProbe& probe;
    const Message& message;
    Done(DmaProbe& p, const Message& m) : probe(p), message(m) {}
    bool await_ready() const { return !probe.open_.contains(&message); }
    void await_suspend(Task::Handle program);
    void await_resume() const;
    std::string waits_for() const override { return "a DMA of " + probe.who_; }
  };

  void submit(dma::Kind kind, Message& message, Ledger* ledger);
  void on_done(dma::Job& job) override;

  const schema::Scenario& scenario_;
  dma::Engine& engine_;
  std::string who_;
  dma::Addresses reads_, writes_;
  std::map<const Message*, int> open_;  ///< accesses that a message still waits for
  const Message* wanted_ = nullptr;
  Task::Handle program_;
};

}  // namespace gicsim::paths
