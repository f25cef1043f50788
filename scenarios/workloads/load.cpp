// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/workloads/load.h"

#include <algorithm>

#include "scenarios/workloads/under_way.h"

namespace gicsim::workloads {

void Load::start() {
  for (std::size_t i = 0; i < channels_.size(); ++i)
    channels_[i]->kernel().start(channels_[i]->who() + ".load", post(i));
}

/// At most a queue's depth is under way from one channel; where queues are shared, all of theirs.
Task Load::post(std::size_t i) {
  paths::Channel& channel = *channels_[i];
  Kernel& kernel = channel.kernel();
  const auto batch = static_cast<std::size_t>(scenario_.batch);
  const auto sharers = static_cast<std::size_t>(std::max<Count>(1, scenario_.load / scenario_.qps));
  const std::size_t most = std::max(batch, static_cast<std::size_t>(scenario_.depth) / (sharers + 1));
  UnderWay under_way;
  std::uint64_t value = 0;
  for (Picoseconds next = kernel.now(); !stopped() || !under_way.empty();) {
    if (!stopped() && under_way.size() + batch <= most && channel.has_room(scenario_.load_bytes, scenario_.batch)) {
      if (next > kernel.now()) co_await kernel.sleep(next - kernel.now());
      next = std::max(next, kernel.now()) + scenario_.load_gap;
      for (std::size_t k = 0; k < batch; ++k) {
        Message& message = messages_.take();
        message.track_delivery = false;
        message.number = value;
        message.begun = kernel.now();
        message.completion.start(message.begun);
        under_way.add(message);
        co_await channel.post({.bytes = scenario_.load_bytes, .value = ++value}, message, k + 1 == batch);
      }
      under_way.rung();
      continue;
    }
    co_await under_way.reap(channel, [this, i](Message& message, Picoseconds complete) {
      end(i, message);
      count(complete);
    });
  }
  ++ended_;
}

void Load::end(std::size_t i, Message& message) {
  const paths::Channel& by = *channels_[i];
  message.completion.close(Stage::poll, by.who().c_str(), channels_[i]->kernel().now());
  told_.announce([&] {
    return MessageEnded{.message = message, .verb = to_name(Verb::put), .poster = by.who(), .peer = channels_[i ^ 1]->who(),
                        .bytes = scenario_.load_bytes, .queue_pair = by.queue_pair(message), .measured = false,
                        .completion = &message.completion};
  });
  messages_.give(message);
}

void Load::count(Picoseconds complete) {
  if (complete > begin_ && (!stopped() || complete <= end_)) ++carried_;
}

double Load::rate() const {
  return static_cast<double>(carried_) / static_cast<double>((end_ - begin_).count()) * 1e6;
}

}  // namespace gicsim::workloads
