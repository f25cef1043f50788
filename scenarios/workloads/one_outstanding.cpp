// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/workloads/one_outstanding.h"

namespace gicsim::workloads {

void OneOutstanding::start() {
  under_way_.resize(pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    Kernel& kernel = pairs_[i].near.kernel();
    kernel.start(pairs_[i].near.who(), post(i));
    if (received()) kernel.start(pairs_[i].far.who(), receive(i));
  }
}

paths::Operation OneOutstanding::operation(std::uint64_t round) const {
  return {schema::verb(scenario_), scenario_.bytes, round + 1, schema::signal(scenario_),
          static_cast<std::uint32_t>(scenario_.segments)};
}

Task OneOutstanding::post(std::size_t i) {
  paths::Channel& channel = pairs_[i].near;
  Kernel& kernel = channel.kernel();
  const bool all = scenario_.pattern == Pattern::quiet && scenario_.scope == Scope::all;
  for (std::uint64_t round = 0; round < rounds(); ++round) {
    Message& message = messages_.take();
    message.number = round;
    message.parts = 1;
    if (received()) ++message.parts, under_way_[i].push_back(&message);
    message.track_delivery = true;
    begin(round);
    message.begun = kernel.now();
    message.completion.start(message.begun);
    message.delivery.start(message.begun);
    co_await channel.post(operation(round), message);
    message.issued = kernel.now();
    if (all) co_await channel.quiet(message);
    else co_await channel.wait(message);
    for (Count tries = 0; channel.failed(message) && tries < scenario_.retry; ++tries) {
      co_await channel.recover(message);
      ++repeated_;
      lost_ += kernel.now() - message.begun;
      co_await channel.post(operation(round), message);
      co_await channel.wait(message);
    }
    if (channel.failed(message)) co_return;
    message.completed = kernel.now();
    if (fetched_beside_queue() && !look(channel, operation(round), message, message.completed)) co_return;
    end(i, message);
  }
}

Task OneOutstanding::receive(std::size_t i) {
  paths::Channel& channel = pairs_[i].far;
  for (std::uint64_t round = 0; round < rounds(); ++round) {
    co_await channel.arrival(operation(round));
    Message& message = *under_way_[i].front();
    under_way_[i].pop_front();
    if (!look(channel, operation(round), message, channel.kernel().now())) co_return;
    channel.seen(message);
    if (const auto flushed = channel.flushed(); flushed && !warm(round)) measured_.flush.add(*flushed);
    end(i, message);
  }
}

/// All branches have ended: the message counts.
void OneOutstanding::end(std::size_t i, Message& message) {
  if (--message.parts > 0) return;
  tell(message, pairs_[i].near, pairs_[i].far, received());
  ++ended_;
  if (!warm(message.number)) return messages_.give(message);
  measured_.issue.add(message.issued - message.begun);
  if (received()) measured_.one_way.add(message.delivered - message.begun);
  measured_.completion.add(message.completed - message.begun);
  measured_.ledgers.add(message.completed - message.begun, message.completion, message);
  messages_.give(message);
}

}  // namespace gicsim::workloads
