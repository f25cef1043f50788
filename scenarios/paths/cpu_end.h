// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/host/core.h"
#include "scenarios/paths/places.h"
#include "scenarios/paths/request.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// What paths share on which a CPU thread posts: its core, its queue pair in host memory, verbs.
class CpuEnd : public Channel {
 public:
  CpuEnd(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t number,
         system::Queue queue);

  Task wait(Message& message) override;
  bool retire(const Message& message) override;
  bool has_room(Bytes bytes, Count n) const override;
  Task await_room(Bytes bytes, Count n) override;
  void stood(Picoseconds time) override { system_.posters(node_).stood(time); }
  std::string queue_pair(const Message&) const override { return name_of(queue_); }
  Kernel& kernel() override { return system_.kernel(); }
  const std::string& who() const override { return core_.who(); }
  Picoseconds issue_busy() const override { return core_.host().stats().core_busy; }

  /// Where this end's peer writes to.
  Address buffer() const { return buffer_; }
  void connect(Address remote) { remote_ = remote; }

 protected:
  /// Builds the WQEs and posts them, or leaves them for the next post's chain.
  Task submit(Operation operation, Message& message, bool ring);
  /// Address of the last packet's payload of a message: its flag.
  Address flag(Bytes bytes) const { return places::flag(buffer_, bytes, mtu_); }

  system::System& system_;
  const schema::Scenario& scenario_;
  std::size_t node_;
  const VerbsParams& verbs_;
  host::Core core_;
  system::Queue queue_;
  Bytes mtu_;
  Address source_, buffer_;
  Address remote_ = 0;

 private:
  bool inlined(Bytes bytes) const;

  std::vector<Message*> unrung_;  ///< built, waiting for the chain's end
  std::uint32_t producer_ = 0;   ///< units built
  std::uint32_t completed_ = 0;  ///< units known to be complete
  std::uint32_t seen_ = 0;       ///< index in the CQE polled last
};

}  // namespace gicsim::paths
