// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "models/host/core.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/system.h"

namespace gicsim::paths {

/// A ring of requests between GPU threads and the worker that serves it.
struct RequestRing {
  Address requests = 0;  ///< 16 B a slot, in host memory
  Address counter = 0;   ///< completed requests, in GPU or host memory
  std::uint32_t depth = 0;
  bool shared = false;   ///< by several threads
  std::uint64_t reserved = 0;         ///< slots handed out: a word in GPU memory
  std::uint64_t done = 0, told = 0;   ///< completed; as the counter says
  Count cqes = 0;                     ///< of those not told yet
  std::deque<Picoseconds> taken{};    ///< when each slot in use was reserved

  Address slot(std::uint64_t index) const {
    return requests + index % depth * static_cast<Address>(slot_size.count());
  }
  static constexpr Bytes slot_size = Bytes(16);
};

/// One CPU thread on a core of its own. It polls its rings in turn, chains what it finds in one into
/// one post on a queue pair of its own, and tells the GPU of completions.
class ProxyWorker {
 public:
  /// @param shared  what all workers of the node touch a request; null: nothing
  ProxyWorker(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t number,
              host::SharedLine* shared);

  /// A WQE under way.
  struct Posted {
    RequestRing* ring;
    bool signaled;
  };
  struct Queue {
    system::Queue queue;
    std::uint32_t producer = 0;
    std::deque<Posted> posted{};
    std::uint64_t events = 0;  ///< seen
  };
  Queue& add_queue(system::Queue queue);
  void add_ring(RequestRing& ring, Queue& queue);
  void start();

 private:
  Task serve(RequestRing& ring, Queue& queue);
  Task complete(Queue& queue);
  Task sleep(Queue& queue, std::uint32_t done);
  void pick_up(Ledger* ledger, Address line, Picoseconds noticed);
  void ring_up(const Queue& queue, const Wqe& last, Count chained);
  Cycles turn() const;

  system::System& system_;
  const schema::Scenario& scenario_;
  std::size_t node_;
  const ProxyParams& params_;
  host::Core core_;
  host::SharedLine* shared_;
  std::deque<Queue> queues_;
  std::vector<std::pair<RequestRing*, Queue*>> rings_;
};

/// The proxy of a node: its workers, with rings and queue pairs dealt out to them in turn.
class Proxy {
 public:
  Proxy(system::System& system, const schema::Scenario& scenario, std::size_t node);

  /// Queue pairs first, then rings; then start().
  void add_queue(system::Queue queue);
  void add_ring(Address gpu_counter);
  void start();
  RequestRing& ring(std::size_t i) { return rings_[i]; }

 private:
  const schema::Scenario& scenario_;
  std::optional<host::SharedLine> shared_;
  std::deque<ProxyWorker> workers_;
  std::vector<ProxyWorker::Queue*> queues_;
  std::deque<RequestRing> rings_;
};

}  // namespace gicsim::paths
