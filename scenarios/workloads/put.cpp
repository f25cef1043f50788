// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/workloads/put.h"

namespace gicsim::workloads {

void Put::start() {
  flows_.resize(pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    Kernel& kernel = pairs_[i].near.kernel();
    kernel.start(pairs_[i].near.who(), post(i));
    kernel.start(pairs_[i].far.who(), receive(i));
  }
}

bool Put::finished() const { return ended_ == rounds() * pairs_.size(); }

Task Put::post(std::size_t i) {
  paths::Channel& channel = pairs_[i].near;
  Kernel& kernel = channel.kernel();
  for (std::uint64_t round = 0; round < rounds(); ++round) {
    Message& message = this->message(i, round);
    message.number = round;
    begin(round);
    message.begun = kernel.now();
    message.completion.start(message.begun);
    co_await channel.put(scenario_.bytes, round + 1, message);
    message.issued = kernel.now();
    co_await channel.wait(message);
    message.completed = kernel.now();
    end(i, message);
  }
}

Task Put::receive(std::size_t i) {
  paths::Channel& channel = pairs_[i].far;
  for (std::uint64_t round = 0; round < rounds(); ++round) {
    Message& message = this->message(i, round);
    co_await channel.wait_flag(scenario_.bytes, round + 1, message);
    end(i, message);
  }
}

Message& Put::message(std::size_t i, std::uint64_t round) {
  Flow& flow = flows_[i];
  while (round >= flow.first + flow.open.size()) {
    flow.open.push_back(&messages_.take());
    flow.open.back()->parts = 2;
    flow.open.back()->track_delivery = true;
  }
  return *flow.open[round - flow.first];
}

/// Once both branches have ended, the message counts.
void Put::end(std::size_t i, Message& message) {
  if (--message.parts > 0) return;
  ++ended_;
  if (warm(message.number)) measure(message);
  Flow& flow = flows_[i];
  for (; !flow.open.empty() && flow.open.front()->parts == 0; ++flow.first) {
    messages_.give(*flow.open.front());
    flow.open.pop_front();
  }
}

void Put::measure(const Message& message) {
  measured_.issue.add(message.issued - message.begun);
  measured_.one_way.add(message.delivered - message.begun);
  measured_.completion.add(message.completed - message.begun);
  measured_.ledgers.add(message.completed - message.begun, message.completion, message);
}

}  // namespace gicsim::workloads
