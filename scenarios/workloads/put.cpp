// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/workloads/put.h"

namespace gicsim::workloads {

void Put::start() {
  under_way_.resize(pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    Kernel& kernel = pairs_[i].near.kernel();
    kernel.start(pairs_[i].near.who(), post(i));
    kernel.start(pairs_[i].far.who(), receive(i));
  }
}

/// A probe posts and is seen in the same way.
paths::Operation Put::operation(std::uint64_t round) const {
  using Verb = paths::Operation::Verb;
  const Verb verb = scenario_.pattern == Pattern::launch        ? Verb::launch
                    : scenario_.pattern == Pattern::copy_engine ? Verb::copy
                                                                : Verb::put;
  return {.verb = verb, .bytes = scenario_.bytes, .value = round + 1};
}

bool Put::finished() const { return ended_ == rounds() * pairs_.size(); }

Task Put::post(std::size_t i) {
  paths::Channel& channel = pairs_[i].near;
  Kernel& kernel = channel.kernel();
  for (std::uint64_t round = 0; round < rounds(); ++round) {
    Message& message = messages_.take();
    under_way_[i].push_back(&message);
    message.number = round;
    message.parts = 2;
    message.track_delivery = true;
    begin(round);
    message.begun = kernel.now();
    message.completion.start(message.begun);
    co_await channel.post(operation(round), message);
    message.issued = kernel.now();
    co_await channel.wait(message);
    message.completed = kernel.now();
    end(message);
  }
}

Task Put::receive(std::size_t i) {
  paths::Channel& channel = pairs_[i].far;
  for (std::uint64_t round = 0; round < rounds(); ++round) {
    co_await channel.arrival(operation(round));
    Message& message = *under_way_[i].front();
    under_way_[i].pop_front();
    channel.seen(message);
    end(message);
  }
}

/// Both branches have ended: the message counts.
void Put::end(Message& message) {
  if (--message.parts > 0) return;
  ++ended_;
  if (!warm(message.number)) return messages_.give(message);
  measured_.issue.add(message.issued - message.begun);
  measured_.one_way.add(message.delivered - message.begun);
  measured_.completion.add(message.completed - message.begun);
  measured_.ledgers.add(message.completed - message.begun, message.completion, message);
  messages_.give(message);
}

}  // namespace gicsim::workloads
