// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "scenarios/paths/channel.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

class GpuEnd;

/// The two ends of a connection: node 0 posts, node 1 receives (and replies).
struct Ends {
  std::unique_ptr<Channel> near, far;
};

/// Everything that a scenario's threads need: one pair of ends a thread, the queues that they post to,
/// the proxies.
class Connections {
 public:
  Connections(system::System& system, const schema::Scenario& scenario);
  ~Connections();
  std::vector<Ends>& ends() { return ends_; }

 private:
  struct Parts;
  void connect_proxies(system::System& system, const schema::Scenario& scenario, std::size_t threads);
  void connect_gpus(system::System& system, const schema::Scenario& scenario, std::size_t threads);
  void add(std::unique_ptr<GpuEnd> near, std::unique_ptr<GpuEnd> far);

  std::unique_ptr<Parts> parts_;
  std::vector<Ends> ends_;
};

}  // namespace gicsim::paths
