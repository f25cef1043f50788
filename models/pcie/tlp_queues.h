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

  /// From now on ingress ports, which are told apart by the link that a TLP came by, have their turns: a TLP is put
  /// before those of later turns, as if it had come before them.
  void take_turns() { turns_ = true; }

  void push(const Tlp& tlp, Picoseconds ready) {
    with_leave_ += has_leave(tlp);
    if (turns_) return push_by_turn(tlp, ready);
    queue_of(tlp).push_back({tlp, ready, order_++});
  }

  /// Of those that the ordering rules let go now, the oldest for which takes(tlp) is true: calls go(waiting), then it
  /// is out of the queue. @return whether there was one
  template <class Takes, class Go>
  bool send_first(Takes&& takes, Go&& go) {
    if (by_rules()) return send_first_by_rules(takes, go);
    const auto try_head = [&](Queue& queue) {
      if (!takes(queue.front().tlp)) return false;
      go(queue.front());
      turn_ = std::max(turn_, turn_of(queue.front()));
      queue.pop_front();
      return true;
    };
    const auto [posted, non_posted, completion] = heads();  // what is before a posted one is older than it
    if (completion < non_posted && try_head(queues_[2])) return true;
    if (non_posted != none_waits && try_head(queues_[1])) return true;
    if (completion != none_waits && completion > non_posted && try_head(queues_[2])) return true;
    return posted != none_waits && try_head(queues_[0]);
  }
  /// All of those, in any order.
  template <class See>
  void see_candidates(See&& see) {
    if (by_rules()) {
      for (const Place& place : candidates()) see((*place.queue)[place.at].tlp);
      return;
    }
    const Heads orders = heads();
    if (orders.posted != none_waits) see(queues_[0].front().tlp);
    if (orders.non_posted != none_waits) see(queues_[1].front().tlp);
    if (orders.completion != none_waits) see(queues_[2].front().tlp);
  }
  Count overtaken() const { return overtaken_; }

 private:
  using Queue = std::deque<Waiting>;
  struct Place {
    Queue* queue;
    std::size_t at;
  };

  struct Ingress {
    const TlpSource* from;
    std::uint64_t turn;  ///< of its newest TLP
  };

  static constexpr std::uint64_t none_waits = ~std::uint64_t{0};
  static constexpr int turn_shift = 32;  ///< of an order: turn, then arrival

  Queue& queue_of(const Tlp& tlp) { return queues_[static_cast<std::size_t>(flow_of(tlp.kind))]; }
  /// Whether an attribute or a tag may decide. Else it is the first of each flow, if nothing posted is before it.
  bool by_rules() const {
    return with_leave_ != 0 || (completions_wait_ && queues_[static_cast<std::size_t>(Flow::completion)].size() > 1);
  }
  struct Heads {
    std::uint64_t posted, non_posted, completion;
  };
  Heads heads() const {
    const auto order = [](const Queue& queue) { return queue.empty() ? none_waits : queue.front().order; };
    const std::uint64_t posted = order(queues_[0]), non_posted = order(queues_[1]), completion = order(queues_[2]);
    return {posted, non_posted < posted ? non_posted : none_waits, completion < posted ? completion : none_waits};
  }
  template <class Takes, class Go>
  bool send_first_by_rules(Takes&& takes, Go&& go) {
    for (const Place& place : candidates()) {
      Waiting& waiting = (*place.queue)[place.at];
      if (!takes(waiting.tlp)) continue;
      go(waiting);
      turn_ = std::max(turn_, turn_of(waiting));
      remove(place);
      return true;
    }
    return false;
  }
  const std::vector<Place>& candidates();
  bool may_go(const Queue& queue, std::size_t at) const;
  void remove(const Place& place);
  void push_by_turn(const Tlp& tlp, Picoseconds ready);
  static std::uint64_t turn_of(const Waiting& waiting) { return waiting.order >> turn_shift; }

  std::size_t overtaking_;
  bool completions_wait_;
  std::array<Queue, 3> queues_;  ///< by Flow
  std::uint64_t order_ = 0;
  Count with_leave_ = 0;  ///< waiting TLPs that an attribute may help
  Count overtaken_ = 0;
  std::vector<Place> places_;
  bool turns_ = false;
  std::uint64_t turn_ = 0;  ///< of the newest that left
  std::vector<Ingress> ingress_;
};

}  // namespace gicsim::pcie
