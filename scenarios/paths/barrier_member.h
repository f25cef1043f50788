// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scenarios/paths/channel.h"
#include "scenarios/paths/send_queue.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// Who takes part in a barrier: a thread of a node that adds to words of others and polls its own.
class BarrierThread {
 public:
  virtual ~BarrierThread() = default;
  /// Adds one to a word of the peer behind `link`. Its time goes to the message's ledger.
  virtual Task tell(std::size_t link, Address word, Message& message) = 0;
  /// Until an own word has come to a value.
  virtual Task see(Address word, std::uint64_t value, Message& message) = 0;
  /// Takes back what it has told: off the measured way.
  virtual Task reclaim() = 0;
  virtual Kernel& kernel() = 0;
  virtual const std::string& who() const = 0;
  virtual Picoseconds busy() const = 0;
};

/// One member of a barrier of all nodes: post() is one barrier, wait() its own completions.
///
/// flat: all add to a word of node 0, which then adds to a word of each. dissemination: in round k each adds to word k of
/// the node 2^k further, and polls its own. packet: the NICs count (claim barrier_packet).
class BarrierMember final : public Channel {
 public:
  BarrierMember(system::System& system, const schema::Scenario& scenario, std::size_t node,
                std::vector<std::size_t> peers, std::vector<system::Queue> queues);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message&) override { return thread_->reclaim(); }
  Task arrival(Operation) override { co_return; }
  void seen(Message&) override {}
  Task acquire(Message&) override { co_return; }
  bool has_room(Bytes, Count) const override { return true; }
  Kernel& kernel() override { return thread_->kernel(); }
  const std::string& who() const override { return thread_->who(); }
  Picoseconds issue_busy() const override { return thread_->busy(); }

  /// Whom a node of `nodes` tells, in the order of its links.
  static std::vector<std::size_t> peers(Barrier kind, std::size_t node, std::size_t nodes);

 private:
  Task flat(std::uint64_t round, Message& message);
  Task disseminate(std::uint64_t round, Message& message);
  Task by_packet(std::uint64_t round, Message& message);
  Address base(std::size_t node) const;
  Address word(std::size_t node, std::size_t k) const;

  system::System& system_;
  const schema::Scenario& scenario_;
  std::size_t node_, nodes_;
  std::vector<std::size_t> peers_;
  std::vector<SendQueue> queues_;
  std::unique_ptr<BarrierThread> thread_;
};

}  // namespace gicsim::paths
