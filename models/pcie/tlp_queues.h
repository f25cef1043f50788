// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/pcie/ordering.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

/// What waits at a link's sender: a queue a flow, as each flow has credits of its own. TLPs go in the order in which
/// they came, but for those that lack credits: what may pass them does. Of one flow, up to `overtaking` TLPs pass
/// another, so that none waits for ever, and no TLP behind so many looks for a way.
class TlpQueues {
 public:
  struct Waiting {
    Tlp tlp;
    Picoseconds ready;
    std::uint64_t order;
    Count passed = 0;  ///< TLPs of the same flow that went first
  };

  /// @param completions_wait  completions may lack credits, too
  TlpQueues(Count overtaking, bool completions_wait)
      : overtaking_(static_cast<std::size_t>(overtaking)), completions_wait_(completions_wait) {}

  bool empty() const { return size() == 0; }
  std::size_t size() const { return queues_[0].size() + queues_[1].size() + queues_[2].size(); }

  void push(const Tlp& tlp, Picoseconds ready) {
    with_leave_ += has_leave(tlp);
    queue_of(tlp).push_back({tlp, ready, order_++});
  }

  /// Calls stop(tlp) for those that the ordering rules let go now, the oldest first, until it returns true.
  /// @return whether it did; then that one is out of the queue, in `taken`
  template <class Stop>
  bool take_first(Stop&& stop, Waiting& taken) {
    for (const Place& place : candidates()) {
      if (!stop(place.queue->operator[](place.at).tlp)) continue;
      taken = remove(place);
      return true;
    }
    return false;
  }
  template <class See>
  void see_candidates(See&& see) {
    for (const Place& place : candidates()) see(place.queue->operator[](place.at).tlp);
  }
  Count overtaken() const { return overtaken_; }

 private:
  using Queue = std::deque<Waiting>;
  struct Place {
    Queue* queue;
    std::size_t at;
  };

  Queue& queue_of(const Tlp& tlp) { return queues_[static_cast<std::size_t>(flow_of(tlp.kind))]; }
  /// As long as no attribute says otherwise, the first of each flow, if nothing posted is before it.
  const std::vector<Place>& candidates();
  void add_heads();
  void add_by_rules();
  bool may_go(const Queue& queue, std::size_t at) const;
  Waiting remove(const Place& place);

  std::size_t overtaking_;
  bool completions_wait_;
  std::array<Queue, 3> queues_;  ///< by Flow
  std::uint64_t order_ = 0;
  Count with_leave_ = 0;  ///< waiting TLPs that an attribute may help
  Count overtaken_ = 0;
  std::vector<Place> places_;
};

}  // namespace gicsim::pcie
