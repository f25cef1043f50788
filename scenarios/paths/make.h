// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "scenarios/paths/channel.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// The two ends of a connection: node 0 posts, node 1 receives (and replies).
struct Ends {
  std::unique_ptr<Channel> near, far;
};

/// Everything that a scenario's threads need: one pair of ends a thread, the queues that they post to,
/// the CPU threads that serve them.
class Connections {
 public:
  Connections(system::System& system, const schema::Scenario& scenario);
  ~Connections();
  std::vector<Ends>& ends() { return ends_; }

 private:
  struct Parts;
  void connect_cpus();
  void connect_proxies();
  void connect_barrier();
  void connect_gpus();
  void connect_gpus(std::size_t flow);
  template <class End>
  void add(std::unique_ptr<End> near, std::unique_ptr<End> far);

  system::System& system_;
  const schema::Scenario& scenario_;
  std::unique_ptr<Parts[]> parts_;  ///< a node each
  std::vector<Ends> ends_;
  Address word_ = 0;  ///< that all posters' atomics are on, if they share one
};

}  // namespace gicsim::paths
