// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/tlp_queues.h"

#include <algorithm>

namespace gicsim::pcie {

/// The oldest first.
const std::vector<TlpQueues::Place>& TlpQueues::candidates() {
  places_.clear();
  for (Queue& queue : queues_)
    for (std::size_t at = 0; at < std::min(queue.size(), overtaking_ + 1); ++at) {
      if (at > 0 && queue.front().passed >= static_cast<Count>(overtaking_)) break;
      if (may_go(queue, at)) places_.push_back({&queue, at});
    }
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return (*a.queue)[a.at].order < (*b.queue)[b.at].order;
  });
  return places_;
}

/// Its turn is the one behind that of its port's TLP before it, and never one that is over.
void TlpQueues::push_by_turn(const Tlp& tlp, Picoseconds ready) {
  auto from = std::find_if(ingress_.begin(), ingress_.end(), [&](const Ingress& one) { return one.from == tlp.held; });
  if (from == ingress_.end()) from = ingress_.insert(from, {tlp.held, 0});
  from->turn = std::max(turn_, from->turn + 1);
  const std::uint64_t order = from->turn << turn_shift | (order_++ & 0xffff'ffff);
  Queue& queue = queue_of(tlp);
  const auto behind = std::upper_bound(queue.begin(), queue.end(), order, [](std::uint64_t mine, const Waiting& other) {
    return mine < other.order;
  });
  queue.insert(behind, {tlp, ready, order});
}

bool TlpQueues::may_go(const Queue& queue, std::size_t at) const {
  const Waiting& later = queue[at];
  for (const Queue& other : queues_) {
    if (other.empty() || always_passes(later.tlp, other.front().tlp)) continue;
    for (std::size_t i = 0; i < other.size() && other[i].order < later.order; ++i)
      if (i > overtaking_ || !may_pass(later.tlp, other[i].tlp)) return false;
  }
  return true;
}

void TlpQueues::remove(const Place& place) {
  Queue& queue = *place.queue;
  with_leave_ -= has_leave(queue[place.at].tlp);
  for (std::size_t i = 0; i < place.at; ++i) ++queue[i].passed;
  overtaken_ += place.at > 0;
  if (place.at == 0)
    queue.pop_front();
  else
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(place.at));
}

}  // namespace gicsim::pcie
