// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/core.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// A queue pair that a NIC has with itself, through which a CPU thread has it read four bytes of this node: NCCL's flush.
/// The read comes back behind all that the NIC wrote the same way before.
class LoopbackRead {
 public:
  /// @param to  where in host memory the bytes go
  LoopbackRead(system::System& system, const schema::Scenario& scenario, host::Core& core, std::size_t node,
               schema::Flow flow, Address to);

  /// Ends when the thread knows of its end.
  Task read(Address from);
  /// Where the last one's time went.
  const Ledger& ledger() const { return message_.completion; }

 private:
  const VerbsParams& verbs_;
  host::Core& core_;
  system::Queue queue_;
  Address to_;
  Message message_;
  std::uint32_t producer_ = 0;
};

}  // namespace gicsim::paths
