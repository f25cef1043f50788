// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/workloads/replay.h"

#include <algorithm>
#include <cmath>

#include "scenarios/workloads/replay_parts.h"

namespace gicsim::workloads {

using schedule::Action;
using schedule::Need;
using schedule::Step;

/// Beyond what any source's needs reach.
constexpr std::size_t most_ahead = 4 * schedule::Source::reach;

Replay::Replay(Kernel& kernel, schedule::Source& source, Pairs pairs, const schema::Scenario& scenario,
               const ReplayOptions& options)
    : kernel_(kernel), source_(source), scenario_(scenario), options_(options) {
  if (options_.look_ahead == 0)
    options_.look_ahead =
        std::clamp<std::size_t>((std::size_t{1} << 20) / std::max<std::size_t>(1, source.ranks()), 1024, 32'768);
  replayed_.ranks.resize(source.ranks());
  for (std::size_t r = 0; r < source.ranks(); ++r) ranks_.push_back(std::make_unique<Rank>(Rank{.number = r}));
  for (const auto& [ends, pair] : pairs)
    links_.emplace(ends, std::make_unique<Link>(Link{.from = ends.first, .to = ends.second, .ends = pair}));
}

Replay::~Replay() = default;

void Replay::start() {
  for (auto& [ends, link] : links_) {
    kernel_.start(link->ends.near.who(), post(*link), Kernel::Kind::service);
    kernel_.start(link->ends.far.who(), poll(*link), Kernel::Kind::service);
  }
  for (std::size_t r = 0; r < ranks_.size(); ++r) fill(r);
  drain();
}

/// One begin after the other: a chain of steps that take no time must not become one of calls.
void Replay::drain() {
  if (draining_) return;
  draining_ = true;
  while (!agenda_.empty()) {
    const auto [rank, number] = agenda_.front();
    agenda_.pop_front();
    begin(*rank, rank->at(number));
  }
  draining_ = false;
}

bool Replay::finished() const { return whole_ == ranks_.size(); }

/// Reads as far as it may look ahead.
void Replay::fill(std::size_t number) {
  Rank& rank = *ranks_[number];
  while (!rank.read_all && rank.open.size() < options_.look_ahead) {
    Step step;
    if (!forced_ && !source_.ready(number)) {
      rank.starved = true;
      break;
    }
    forced_ = false;
    if (!source_.next(number, step)) {
      rank.read_all = true;
      if (rank.open.empty()) ++whole_;
      break;
    }
    ++replayed_.steps;
    Open& open = rank.open.emplace_back(Open{.step = std::move(step)});
    take_needs(rank, open);
  }
  if (progress_) progress_();
}

/// Of sources whose ranks are mixed: what one took may have made room for others.
void Replay::feed() {
  for (const auto& rank : ranks_)
    if (rank->starved) rank->starved = false, fill(rank->number);
}

bool Replay::go_on() {
  const Count before = replayed_.steps;
  const std::size_t ended = whole_;
  forced_ = true;
  feed();
  forced_ = false;
  drain();
  if (replayed_.steps > before || whole_ > ended) return true;
  const bool all = std::all_of(ranks_.begin(), ranks_.end(), [](const auto& rank) { return rank->read_all; });
  if (all || options_.look_ahead >= most_ahead) return false;
  options_.look_ahead *= 2;
  for (std::size_t r = 0; r < ranks_.size(); ++r) fill(r);
  drain();
  return replayed_.steps > before;
}

/// What has ended is forgotten, so a need that is nowhere has been met.
void Replay::take_needs(Rank& rank, Open& open) {
  const std::uint64_t number = open.step.number;
  if (const auto ahead = rank.ahead.extract(number)) open.dependents = std::move(ahead.mapped());
  for (const Need& need : open.step.needs) {
    if (!options_.needs || need.step < rank.first) continue;
    if (need.step >= rank.next()) {
      rank.ahead[need.step].emplace_back(number, need.until);
      ++open.missing;
      continue;
    }
    Open& before = rank.at(need.step);
    const bool met = before.ended || (need.until == Need::Until::issued && before.issued) ||
                     (need.until == Need::Until::started && before.started);
    if (met) continue;
    before.dependents.emplace_back(number, need.until);
    ++open.missing;
  }
  open.spent = rank.last;
  open.spent.add(Spent::idle, kernel_.now() - rank.last_at);
  meet(rank, open);
}

void Replay::meet(Rank& rank, Open& open) {
  if (--open.missing == 0) ready(rank, open);
}

/// All that it needs has come; the last of that was what it waited for.
void Replay::ready(Rank& rank, Open& open) {
  const Picoseconds now = kernel_.now();
  Picoseconds at = now + (options_.needs ? open.step.gap : Picoseconds{});
  if (options_.start == ReplayOptions::Start::captured && open.step.began) at = std::max(now, *open.step.began);
  open.spent.add(Spent::idle, at - now);
  if (at == now)
    agenda_.emplace_back(&rank, open.step.number);
  else
    kernel_.start("rank" + std::to_string(rank.number), begin_later(rank, open, at - now), Kernel::Kind::service);
}

Task Replay::begin_later(Rank& rank, Open& open, Picoseconds wait) {
  co_await kernel_.sleep(wait);
  begin(rank, open);
  drain();
}

void Replay::begin(Rank& rank, Open& open) {
  open.begun = true;
  open.ready_at = open.began = kernel_.now();
  const std::string who = "rank" + std::to_string(rank.number);
  if (open.step.action == Action::calc) {
    kernel_.start(who, calculate(rank, open), Kernel::Kind::service);
  } else if (open.step.action == Action::recv) {
    receive(rank, open);
  } else if (open.step.peer == rank.number) {  // to itself: no more than a copy
    if (open.step.action == Action::send) hand_over(rank, rank.number, open.step.tag, open.spent);
    end(rank, open, open.spent);
  } else {
    Link& to = link(rank, open);
    to.waiting.push_back(open.step.number);
    wake(to.poster);
  }
}

Task Replay::calculate(Rank& rank, Open& open) {
  Picoseconds& busy = rank.lanes[open.step.lane];
  const Picoseconds now = kernel_.now(), at = std::max(now, busy);
  const double scaled = std::round(static_cast<double>(open.step.time.count()) * options_.compute);
  const Picoseconds time = options_.compute == 1 ? open.step.time : Picoseconds{static_cast<std::int64_t>(scaled)};
  busy = at + time;
  open.spent.add(Spent::queued, at - now);
  if (at > now) co_await kernel_.sleep(at - now);
  open.began = at;
  begun(rank, open);
  drain();
  if (time > Picoseconds{}) co_await kernel_.sleep(time);
  replayed_.ranks[rank.number].compute += time;
  ++replayed_.calcs;
  Spent spent = open.spent;
  spent.add(Stage::compute, time);
  end(rank, open, spent);
}

/// Of what is no message: it has started, and there is no call that could return.
void Replay::begun(Rank& rank, Open& open) {
  reach(rank, open, Need::Until::started, open.spent);
  reach(rank, open, Need::Until::issued, open.spent);
}

/// Tells those who waited for that much.
void Replay::reach(Rank& rank, Open& open, Need::Until until, const Spent& spent) {
  bool& reached = until == Need::Until::started  ? open.started
                  : until == Need::Until::issued ? open.issued
                                                 : open.ended;
  if (std::exchange(reached, true)) return;
  for (const auto& [who, what] : open.dependents)
    if (what == until) {
      Open& next = rank.at(who);
      next.spent = spent;
      meet(rank, next);
    }
}

void Replay::end(Rank& rank, Open& open, const Spent& spent) {
  const Picoseconds now = kernel_.now();
  replayed_.ranks[rank.number].ended = now;
  rank.last = spent, rank.last_at = now;
  if (now >= replayed_.makespan) replayed_.makespan = now, replayed_.path = spent;
  if (played_) played_({rank.number, open.step, open.began, now, open.delivered, open.on_wire});
  for (const Need::Until until : {Need::Until::started, Need::Until::issued, Need::Until::ended})
    reach(rank, open, until, rank.last);
  retire(rank);
  drain();
}

void Replay::retire(Rank& rank) {
  while (!rank.open.empty() && rank.open.front().ended) rank.open.pop_front(), ++rank.first;
  if (rank.read_all)
    whole_ += rank.open.empty();
  else if (!rank.starved && 2 * rank.open.size() <= options_.look_ahead)
    fill(rank.number), feed();
}

}  // namespace gicsim::workloads
