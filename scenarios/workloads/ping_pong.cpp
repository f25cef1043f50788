// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/workloads/ping_pong.h"

namespace gicsim::workloads {

PingPong::PingPong(std::vector<Pair> pairs, const schema::Scenario& scenario)
    : Workload(std::move(pairs), scenario), turns_(scenario.load > 0 ? 1 : pairs_.size()) {
  if (scenario.load == 0) return;
  std::vector<paths::Channel*> channels;
  for (std::size_t i = 1; i < pairs_.size(); ++i) channels.insert(channels.end(), {&pairs_[i].near, &pairs_[i].far});
  load_.emplace(std::move(channels), scenario, told_);
}

void PingPong::start() {
  if (load_) load_->start();
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    Kernel& kernel = pairs_[i].near.kernel();
    kernel.start(pairs_[i].near.who(), ping(i));
    kernel.start(pairs_[i].far.who(), pong(i));
  }
}

Task PingPong::ping(std::size_t i) {
  paths::Channel& channel = pairs_[i].near;
  Kernel& kernel = channel.kernel();
  Message &sent = turns_[i].ping, &reply = turns_[i].pong;
  for (std::uint64_t round = 0; round < rounds(); ++round) {
    sent.number = round;
    begin(round);
    if (load_ && round == static_cast<std::uint64_t>(scenario_.warmup)) load_->measure(kernel.now());
    sent.begun = kernel.now();
    sent.completion.start(sent.begun);
    co_await channel.post(operation(round), sent);
    sent.issued = kernel.now();
    const paths::Operation back = operation(round);
    co_await channel.arrival(back);
    if (!look(channel, back, reply, kernel.now())) co_return;
    channel.seen(reply);
    co_await channel.acquire(reply);
    if (warm(round)) {
      measured_.issue.add(sent.issued - sent.begun);
      measured_.rtt.add(kernel.now() - sent.begun);
      measured_.ledgers.add(kernel.now() - sent.begun, reply.delivery, sent);
    }
    ++ended_;
    if (load_ && ended_ == rounds()) load_->stop(kernel.now());
    end(i, reply);
    co_await channel.wait(sent);
    tell(sent, channel, pairs_[i].far, true);
  }
}

/// One of the two ends is through with a reply.
void PingPong::end(std::size_t i, Message& reply) {
  if (--reply.parts == 0) tell(reply, pairs_[i].far, pairs_[i].near, true);
}

Task PingPong::pong(std::size_t i) {
  paths::Channel& channel = pairs_[i].far;
  Message &seen = turns_[i].ping, &reply = turns_[i].pong;
  for (std::uint64_t round = 0; round < rounds(); ++round) {
    const paths::Operation there = operation(round);
    co_await channel.arrival(there);
    if (!look(channel, there, seen, channel.kernel().now())) co_return;
    channel.seen(seen);
    co_await channel.acquire(seen);
    reply.completion = seen.delivery;
    reply.number = round;
    reply.begun = channel.kernel().now();
    reply.parts = 2;
    co_await channel.post(operation(round), reply);
    co_await channel.wait(reply);
    end(i, reply);
  }
}

}  // namespace gicsim::workloads
