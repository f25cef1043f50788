// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "scenarios/paths/channel.h"
#include "scenarios/paths/send_queue.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// The two ends of a connection: the near one posts, the far one receives (and replies).
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
  /// The posting queue pairs of a lane of a stream, by lane.
  const std::vector<std::vector<system::Queue>>& posting() const { return posting_; }

 private:
  struct Parts;
  void connect_cpus();
  void connect_proxies();
  void connect_proxies_by_lane();
  void connect_barrier();
  void connect_gpus();
  void connect_gpus(const schema::Lane& lane);
  /// @param near,far  whose completion queues the new queue pair's ends have; null: their own
  std::pair<system::Queue, system::Queue> connect(const schema::Lane& lane, const SendQueue* near = nullptr,
                                                  const SendQueue* far = nullptr);
  void register_memory();
  void stand_for_many(std::size_t node);
  void visit(const std::vector<std::vector<SendQueue*>>& near, const std::vector<std::vector<SendQueue*>>& far);
  void share_bell(Parts& parts, std::size_t thread, const std::vector<SendQueue*>& queues);
  template <class End>
  void add(std::unique_ptr<End> near, std::unique_ptr<End> far);

  system::System& system_;
  const schema::Scenario& scenario_;
  std::unique_ptr<Parts[]> parts_;  ///< a node each
  std::vector<std::size_t> threads_;  ///< of each node, so far
  std::vector<Ends> ends_;
  std::vector<std::vector<system::Queue>> posting_;
};

}  // namespace gicsim::paths
