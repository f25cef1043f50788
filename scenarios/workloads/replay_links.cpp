// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/base/errors.h"
#include "scenarios/workloads/replay.h"
#include "scenarios/workloads/replay_parts.h"

/// What a replay's connections do.
namespace gicsim::workloads {
namespace {

using schedule::Action;
using schedule::Need;

/// Suspends a program until somebody resumes it by this handle.
struct Until {
  std::coroutine_handle<>& waiter;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> program) { waiter = program; }
  void await_resume() const noexcept {}
};

/// What a capture at the poster's port sees of a message: from its first packet's begin to its last answer.
std::optional<Picoseconds> on_wire(const Ledger& ledger) {
  const auto of_wire = [](const Ledger::Entry& e) { return layer_of(e.stage) == "L5"; };
  const Ledger::Entries& all = ledger.entries();
  const auto first = std::find_if(all.begin(), all.end(), of_wire);
  if (first == all.end()) return std::nullopt;
  const auto last = std::find_if(all.rbegin(), all.rend(), of_wire).base();
  Picoseconds time{};
  for (auto entry = first; entry != last; ++entry) time += entry->time;
  return time;
}

/// Of a send queue, that one message may take: a WQE with the most inline data, and its signal's.
constexpr std::uint32_t most_units = 18;

bool matches(const schedule::Step& receive, std::size_t from, std::int64_t tag) {
  return (receive.peer == schedule::any_rank || receive.peer == from) &&
         (receive.tag == schedule::any_tag || receive.tag == tag);
}

}  // namespace

void Replay::wake(std::coroutine_handle<>& waiter) {
  if (waiter) kernel_.resume(kernel_.now(), std::exchange(waiter, nullptr));
}

Replay::Link& Replay::link(const Rank& rank, const Open& open) {
  const auto found = links_.find({rank.number, open.step.peer});
  if (found == links_.end())
    throw ConfigError(source_.location(rank.number, open.step),
                      std::string(name_of(open.step.action)) + " from rank " + std::to_string(rank.number) +
                          " to rank " + std::to_string(open.step.peer) + ", which the trace doesn't have");
  return *found->second;
}

/// A message of no bytes is a put of one: what it is for is its signal.
paths::Operation Replay::operation(Link& link, const schedule::Step& step) const {
  paths::Operation operation;
  operation.bytes = std::max(step.bytes, 1_B);
  switch (step.action) {
    case Action::send:
      operation.verb = schema::verb(scenario_);
      operation.signal = schema::signal(scenario_);
      operation.value = ++link.sent;
      return operation;
    case Action::get:
      operation.verb = Verb::get;
      break;
    case Action::fetch_add:
      operation.verb = Verb::fetch_add;
      break;
    case Action::compare_swap:
      operation.verb = Verb::compare_swap;
      break;
    case Action::put:
    case Action::calc:
    case Action::recv:
      break;
  }
  if (is_atomic(operation.verb)) operation.bytes = 8_B;
  operation.value = ++link.other;
  return operation;
}

/// Posts what is ready while there is room, else waits for what is under way.
Task Replay::post(Link& link) {
  Rank& rank = *ranks_[link.from];
  paths::Channel& channel = link.ends.near;
  const auto depth = static_cast<std::uint32_t>(scenario_.depth);
  for (;;) {
    const bool room = !link.waiting.empty() && link.units + most_units <= depth && channel.has_room(scenario_.bytes, 1);
    if (!room) {
      if (link.completed < link.next())
        co_await complete(link);
      else
        co_await Until{link.poster};
      continue;
    }
    const std::uint64_t number = link.waiting.front();
    link.waiting.pop_front();
    Open& open = rank.at(number);
    const Picoseconds now = kernel_.now();
    open.began = now;
    open.spent.add(Spent::queued, now - open.ready_at);
    const std::uint64_t flown = link.next();
    Flight& flight = link.flights.emplace_back();
    flight.step = number, flight.tag = open.step.tag, flight.spent = open.spent;
    flight.bytes = std::max(open.step.bytes, 1_B);
    flight.two_sided = open.step.action == Action::send;
    flight.seen = !flight.two_sided;
    Message& message = flight.message;
    message.number = flown;
    message.track_delivery = flight.two_sided;
    message.begun = now;
    message.completion.start(now);
    message.delivery.start(now);
    if (flight.two_sided) link.unseen.push_back(flown), wake(link.poller);
    reach(rank, open, Need::Until::started, open.spent);
    drain();
    const paths::Operation what = operation(link, open.step);
    flight.verb = what.verb;
    co_await channel.post(what, message);
    message.issued = kernel_.now();
    link.units += message.units;
    Spent spent = open.spent;
    spent.add(Spent::posting, message.issued - now);
    reach(rank, open, Need::Until::issued, spent);
    drain();
  }
}

/// Waits for the oldest, and takes back all that this shows to be complete.
Task Replay::complete(Link& link) {
  paths::Channel& channel = link.ends.near;
  co_await channel.wait(link.at(link.completed).message);
  if (channel.failed(link.at(link.completed).message)) co_await Until{link.failed};
  do {
    Flight& flight = link.at(link.completed++);
    Message& message = flight.message;
    const Picoseconds now = kernel_.now();
    message.completed = now;
    link.units -= message.units;
    flight.complete = true;
    Rank& rank = *ranks_[link.from];
    Open& open = rank.at(flight.step);
    Spent spent = flight.spent;
    spent.add(message.completion);
    spent.add(Spent::queued, now - message.completion.last());
    replayed_.messages_by_stage.add(message.completion);
    ++replayed_.messages;
    replayed_.bytes += open.step.bytes;
    ++replayed_.ranks[link.from].messages;
    replayed_.ranks[link.from].sent += open.step.bytes;
    open.on_wire = on_wire(message.completion);
    if (flight.two_sided && flight.seen) open.delivered = message.delivered;
    end(rank, open, spent);
  } while (link.completed < link.next() && channel.retire(link.at(link.completed).message));
  tidy(link);
}

/// Messages whose branches have all ended, and all before them.
void Replay::tidy(Link& link) {
  for (; !link.flights.empty() && link.flights.front().complete && link.flights.front().seen; ++link.first) {
    const Flight& flight = link.flights.front();
    told_.announce([&]() -> MessageEnded {
      return {.message = flight.message,
              .verb = to_name(flight.verb),
              .poster = link.ends.near.who(),
              .peer = link.ends.far.who(),
              .bytes = flight.bytes,
              .queue_pair = {},
              .measured = true,
              .completion = &flight.message.completion,
              .delivery = flight.two_sided ? &flight.message.delivery : nullptr};
    });
    link.flights.pop_front();
  }
}

/// Somebody at the receiver waits for what may come from here.
bool Replay::wanted(const Link& link) const {
  const Rank& rank = *ranks_[link.to];
  return std::any_of(rank.receives.begin(), rank.receives.end(), [&](std::uint64_t number) {
    const std::uint32_t peer = rank.open[number - rank.first].step.peer;
    return peer == schedule::any_rank || peer == link.from;
  });
}

/// A receiver polls while somebody waits, for one message after the other.
Task Replay::poll(Link& link) {
  paths::Channel& channel = link.ends.far;
  for (std::uint64_t value = 1;; ++value) {
    while (!wanted(link)) co_await Until{link.poller};
    paths::Operation expected{schema::verb(scenario_), scenario_.bytes, value, schema::signal(scenario_)};
    if (!expected.signal) {  // its data are what is polled for, and where they end depends on their length
      while (link.unseen.empty()) co_await Until{link.poller};
      expected.bytes = link.at(link.unseen.front()).bytes;
    }
    co_await channel.arrival(expected);
    Flight& flight = link.at(link.unseen.front());
    link.unseen.pop_front();
    Message& message = flight.message;
    const Picoseconds now = kernel_.now();
    if (!early_ && (message.data.missing > 0_B || message.data.visible > now))
      early_ = {channel.who(), value, channel.told_at(expected), now, &message.data};
    channel.seen(message);
    flight.seen = true;
    Spent spent = flight.spent;
    spent.add(message.delivery);
    spent.add(Spent::queued, now - message.delivery.last());
    if (!flight.complete) ranks_[link.from]->at(flight.step).delivered = now;
    const std::int64_t tag = flight.tag;
    tidy(link);
    hand_over(*ranks_[link.to], link.from, tag, spent);
  }
}

/// To whoever asked for it first, or until somebody does.
void Replay::hand_over(Rank& rank, std::size_t from, std::int64_t tag, const Spent& spent) {
  const auto found = std::find_if(rank.receives.begin(), rank.receives.end(),
                                  [&](std::uint64_t number) { return matches(rank.at(number).step, from, tag); });
  if (found == rank.receives.end()) {
    rank.unexpected.push_back({tag, from});
    return;
  }
  const std::uint64_t number = *found;
  rank.receives.erase(found);
  end(rank, rank.at(number), spent);
}

void Replay::receive(Rank& rank, Open& open) {
  begun(rank, open);
  const auto found = std::find_if(rank.unexpected.begin(), rank.unexpected.end(),
                                  [&](const Arrived& one) { return matches(open.step, one.from, one.tag); });
  if (found != rank.unexpected.end()) {
    rank.unexpected.erase(found);
    return end(rank, open, open.spent);
  }
  rank.receives.push_back(open.step.number);
  for (std::size_t from = 0; from < ranks_.size(); ++from) {
    if (open.step.peer != schedule::any_rank && open.step.peer != from) continue;
    if (const auto link = links_.find({from, rank.number}); link != links_.end()) wake(link->second->poller);
  }
}

}  // namespace gicsim::workloads
