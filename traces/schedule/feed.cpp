// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/feed.h"

#include "traces/schedule/groups.h"

namespace gicsim::schedule {

bool Feed::add(Step step, Id id, const std::vector<Id>& needs) {
  if (!window_.add(std::move(step), id)) return false;
  for (const Id need : needs) window_.need(added_, need, Need::Until::ended);
  ++added_;
  return true;
}

bool Feed::add(Collective collective, const std::shared_ptr<const Communicator>& among, std::uint32_t self,
               const Step& like, Id id, const std::vector<Id>& needs) {
  if (window_.number(id)) return false;
  collective.sequence = sequences_[among->id]++;
  collective.place = like.place;
  Expanding expanding{
      Expansion(std::move(collective), among, place_of(self, *among).value(), added_), {}, id, like.ended};
  Step first;
  expanding.steps.next(first);
  first.gap = like.gap;
  first.began = first.ended = like.began;
  window_.add(std::move(first), std::nullopt);
  for (const Id need : needs) window_.need(added_, need, Need::Until::ended);
  ++added_;
  expansion_.emplace(std::move(expanding));
  expand();
  return true;
}

void Feed::expand() {
  while (expansion_ && !window_.full()) {
    Step step;
    const bool more = expansion_->steps.next(step);
    if (expansion_->next) {
      Step& now = *expansion_->next;
      if (!more && expansion_->ended) now.began = now.ended = expansion_->ended;
      window_.add(std::move(now), more ? std::nullopt : std::optional<Id>(expansion_->id));
      ++added_;
    }
    if (more)
      expansion_->next = std::move(step);
    else
      expansion_.reset();
  }
}

Step Feed::take(std::vector<Id>& missing) {
  Step step = window_.take(missing);
  expand();
  return step;
}

}  // namespace gicsim::schedule
