// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/core.h"
#include "scenarios/paths/send_queue.h"

namespace gicsim::paths {

/// A CPU thread that rings for its node's GPU threads (path cpu_doorbell): they build WQEs, publish an
/// index in host memory, and poll the completion queue themselves; it updates the record and rings. Needed where the
/// NIC's registers can't be mapped into a GPU.
class Ringer {
 public:
  Ringer(system::System& system, const schema::Scenario& scenario, std::size_t node);
  /// Serves a queue from now on: its posters tell this thread.
  void add(SendQueue& queue);

 private:
  Task serve(system::Queue queue, Address published);

  system::System& system_;
  const VerbsParams& verbs_;
  bool elsewhere_;  ///< its posters publish where it doesn't look
  host::Core core_;
  std::size_t queues_ = 0;
};

}  // namespace gicsim::paths
