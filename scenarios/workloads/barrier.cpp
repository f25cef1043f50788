// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/workloads/barrier.h"

namespace gicsim::workloads {

void BarrierRounds::start() {
  for (std::size_t i = 0; i < pairs_.size(); ++i) pairs_[i].near.kernel().start(pairs_[i].near.who(), meet(i));
}

struct BarrierRounds::All {
  BarrierRounds& rounds;
  Kernel& kernel;
  bool await_ready() {
    if (rounds.here_.size() + 1 < rounds.pairs_.size()) return false;
    for (const std::coroutine_handle<> one : rounds.here_) kernel.resume(kernel.now(), one);
    rounds.here_.clear();
    return true;
  }
  void await_suspend(std::coroutine_handle<> program) { rounds.here_.push_back(program); }
  void await_resume() const {}
};

Task BarrierRounds::meet(std::size_t member) {
  paths::Channel& channel = pairs_[member].near;
  Kernel& kernel = channel.kernel();
  Message message;
  for (std::uint64_t round = 0; round < rounds(); ++round) {
    co_await All{*this, kernel};
    message.number = round;
    begin(round);
    message.begun = kernel.now();
    message.completion.start(message.begun);
    co_await channel.post({.value = round + 1}, message);
    message.completed = kernel.now();
    if (++out_ == pairs_.size()) out_ = 0;
    if (warm(round) && out_ == 0) {
      measured_.completion.add(message.completed - message.begun);
      measured_.ledgers.add(message.completed - message.begun, message.completion, message);
    }
    ++ended_;
    co_await channel.wait(message);
    tell(message, channel, channel, false);
  }
}

}  // namespace gicsim::workloads
