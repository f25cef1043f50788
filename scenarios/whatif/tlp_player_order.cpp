// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// When each request is due.
#include <algorithm>

#include "scenarios/whatif/tlp_player.h"

namespace gicsim::whatif {
namespace {

constexpr Count most_ahead = 1 << 14;  ///< requests that were read and haven't begun
constexpr Count most_live = 1 << 16;   ///< that haven't ended

}  // namespace

/// As far ahead as there is room.
void TlpPlayer::read() {
  if (reading_) return;
  reading_ = true;
  tlp::Request request;
  while (!ended_all_ && ahead_ < most_ahead && live_ < most_live) {
    if (!trace_.next(request)) {
      ended_all_ = true;
      break;
    }
    auto& one = known_[request.number] = std::make_unique<Live>();
    one->request = request;
    ++live_, ++ahead_;
    Lane& lane = lanes_[request.entry];
    lane.next.push_back(one.get());
    if (lane.next.size() == 1) advance(request.entry);
  }
  reading_ = false;
}

/// Gives the entry's next requests their times, as far as those are known.
void TlpPlayer::advance(std::size_t entry) {
  Lane& lane = lanes_[entry];
  while (!lane.next.empty()) {
    Live& one = *lane.next.front();
    const Picoseconds then = one.request.record.begin;
    Spent spent{};
    Picoseconds due = origin_ + then - trace_.first();
    spent[gap] = due - origin_;
    if (const auto& after = one.request.after; after && start_ == Start::causes) {
      const auto found = known_.find(after->request);
      const Picoseconds wait = then - after->at;
      if (found == known_.end()) {  // ended long ago
        due = kernel_.now();
        spent = {}, spent[gap] = due - origin_;
      } else {
        Live& cause = *found->second;
        const auto fact = std::find_if(cause.facts.begin(), cause.facts.end(),
                                       [&](const Fact& f) { return f.what == after->what && f.link == after->link; });
        if (fact == cause.facts.end() && !cause.ended) {
          cause.waiters.push_back(entry);
          return;
        }
        const Picoseconds at = fact == cause.facts.end() ? cause.ended_at : fact->at;
        spent = until(cause, after->what, at);
        spent[gap] += wait;
        due = at + wait;
      }
    }
    lane.next.pop_front();
    schedule(entry, one, due, spent);
  }
}

/// Not before the one before it, and not in the past.
void TlpPlayer::schedule(std::size_t entry, Live& one, Picoseconds due, const Spent& spent) {
  Lane& lane = lanes_[entry];
  one.due = due, one.spent = spent;
  if (lane.floor > one.due) one.due = lane.floor, one.spent = lane.spent;
  const Picoseconds lead = stands_.seats[entry].lead, soonest = kernel_.now() + lead;
  if (soonest > one.due) one.spent[queued] += soonest - one.due, one.due = soonest;
  lane.floor = one.due, lane.spent = one.spent;
  due_.emplace(std::pair{one.due - lead, one.request.number}, &one);
  kernel_.at<&TlpPlayer::on_due>(one.due - lead, this);
}

}  // namespace gicsim::whatif
