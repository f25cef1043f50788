// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/collectives.h"

#include <algorithm>

#include "traces/schedule/detail/rounds.h"

namespace gicsim::schedule {
namespace {

auto algorithm_of(const Collective& collective) {
  switch (collective.what) {
    case Operation::reduce_scatter:
    case Operation::all_gather:
      return &ring;
    case Operation::all_reduce:
      return collective.how == Algorithm::ring ? &ring : &tree;
    case Operation::reduce:
    case Operation::broadcast:
      return collective.how == Algorithm::ring ? &chain : &tree;
    case Operation::gather:
    case Operation::scatter:
    case Operation::all_to_all:
      return &straight;
    case Operation::barrier:
      break;
  }
  return &dissemination;
}

}  // namespace

std::size_t Rounds::behind(std::ptrdiff_t n) const {
  const auto ring = static_cast<std::ptrdiff_t>(size());
  return static_cast<std::size_t>(((static_cast<std::ptrdiff_t>(self_) - n) % ring + ring) % ring);
}

Stream& Rounds::add_stream(Action action, unsigned part) {
  return streams_.emplace_back(Stream{.action = action, .part = part, .open = {}});
}

Step Rounds::blank(Action action) {
  Step step;
  step.number = next_++;
  step.action = action;
  step.lane = of_.lane;
  step.name = of_.name;
  step.place = of_.place;
  return step;
}

std::uint64_t Rounds::message(Stream& stream, std::size_t peer, Bytes bytes, std::vector<std::uint64_t> needs) {
  Step step = blank(stream.action);
  step.peer = communicator_->ranks[peer];
  step.bytes = bytes;
  step.tag = collective_tag(communicator_->id, of_.sequence, stream.part);
  const std::size_t window = of_.window > 0 ? of_.window : usual_window();
  if (stream.open.size() == window) {
    needs.push_back(stream.open.front());
    stream.open.pop_front();
  }
  if (needs.empty()) needs.push_back(first_);
  for (const std::uint64_t need : needs) step.needs.push_back({need, Need::Until::ended});
  stream.open.push_back(step.number);
  ready_.push_back(std::move(step));
  return ready_.back().number;
}

void Rounds::end() {
  Step step = blank(Action::calc);
  for (const Stream& stream : streams_)
    for (const std::uint64_t number : stream.open) step.needs.push_back({number, Need::Until::ended});
  if (step.needs.empty()) step.needs.push_back({first_, Need::Until::ended});
  ready_.push_back(std::move(step));
  state_ = State::ended;
}

bool Rounds::next(Step& step) {
  if (state_ == State::begin) {
    ready_.push_back(blank(Action::calc));
    state_ = State::under_way;
  }
  while (ready_.empty() && state_ == State::under_way)
    if (!round()) end();
  if (ready_.empty()) return false;
  step = std::move(ready_.front());
  ready_.pop_front();
  return true;
}

Expansion::Expansion(Collective collective, std::shared_ptr<const Communicator> communicator, std::size_t self,
                     std::uint64_t first) {
  const auto algorithm = algorithm_of(collective);
  rounds_ = algorithm(std::move(collective), std::move(communicator), self, first);
}
Expansion::Expansion(Expansion&&) noexcept = default;
Expansion& Expansion::operator=(Expansion&&) noexcept = default;
Expansion::~Expansion() = default;

bool Expansion::next(Step& step) { return rounds_->next(step); }

}  // namespace gicsim::schedule
