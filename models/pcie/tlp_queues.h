// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
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

  /// Of those that the ordering rules let go now, the oldest for which takes(tlp) is true: calls go(waiting), then it
  /// is out of the queue. @return whether there was one
  template <class Takes, class Go>
  bool send_first(Takes&& takes, Go&& go) {
    if (by_rules()) return send_first_by_rules(takes, go);
    std::array<std::uint64_t, 3> orders = heads();
    for (int tries = 0; tries < 3; ++tries) {
      const auto oldest = static_cast<std::size_t>(std::min_element(orders.begin(), orders.end()) - orders.begin());
      if (orders[oldest] == none_waits) return false;
      Waiting& head = queues_[oldest].front();
      if (takes(head.tlp)) {
        go(head);
        queues_[oldest].pop_front();
        return true;
      }
      orders[oldest] = none_waits;
    }
    return false;
  }
  /// All of those, in any order.
  template <class See>
  void see_candidates(See&& see) {
    if (by_rules()) {
      for (const Place& place : candidates()) see((*place.queue)[place.at].tlp);
      return;
    }
    const auto orders = heads();
    for (std::size_t i = 0; i < orders.size(); ++i)
      if (orders[i] != none_waits) see(queues_[i].front().tlp);
  }
  Count overtaken() const { return overtaken_; }

 private:
  using Queue = std::deque<Waiting>;
  struct Place {
    Queue* queue;
    std::size_t at;
  };

  static constexpr std::uint64_t none_waits = ~std::uint64_t{0};

  Queue& queue_of(const Tlp& tlp) { return queues_[static_cast<std::size_t>(flow_of(tlp.kind))]; }
  /// Whether an attribute or a tag may decide. Else it is the first of each flow, if nothing posted is before it.
  bool by_rules() const {
    return with_leave_ != 0 || (completions_wait_ && queues_[static_cast<std::size_t>(Flow::completion)].size() > 1);
  }
  std::array<std::uint64_t, 3> heads() const {
    std::array<std::uint64_t, 3> orders{};
    for (std::size_t i = 0; i < orders.size(); ++i)
      orders[i] = queues_[i].empty() ? none_waits : queues_[i].front().order;
    const std::uint64_t posted = orders[static_cast<std::size_t>(Flow::posted)];
    for (std::uint64_t& order : orders)
      if (order > posted) order = none_waits;
    return orders;
  }
  template <class Takes, class Go>
  bool send_first_by_rules(Takes&& takes, Go&& go) {
    for (const Place& place : candidates()) {
      Waiting& waiting = (*place.queue)[place.at];
      if (!takes(waiting.tlp)) continue;
      go(waiting);
      remove(place);
      return true;
    }
    return false;
  }
  const std::vector<Place>& candidates();
  bool may_go(const Queue& queue, std::size_t at) const;
  void remove(const Place& place);

  std::size_t overtaking_;
  bool completions_wait_;
  std::array<Queue, 3> queues_;  ///< by Flow
  std::uint64_t order_ = 0;
  Count with_leave_ = 0;  ///< waiting TLPs that an attribute may help
  Count overtaken_ = 0;
  std::vector<Place> places_;
};

}  // namespace gicsim::pcie
