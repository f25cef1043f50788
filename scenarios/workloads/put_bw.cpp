// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/workloads/put_bw.h"

#include <algorithm>

#include "scenarios/workloads/under_way.h"

namespace gicsim::workloads {

void PutBw::start() {
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    pairs_[i].near.kernel().start(pairs_[i].near.who(), post(i));
  if (schema::verb(scenario_) != Verb::send) return;
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    pairs_[i].far.kernel().start(pairs_[i].far.who(), receive(i), Kernel::Kind::service);
}

/// SENDs are taken as they come, and their receives posted anew.
Task PutBw::receive(std::size_t i) {
  for (std::uint64_t round = 0; round < rounds(); ++round)
    co_await pairs_[i].far.arrival({schema::verb(scenario_), scenario_.bytes, round + 1});
}

Task PutBw::post(std::size_t i) {
  paths::Channel& channel = pairs_[i].near;
  Kernel& kernel = channel.kernel();
  if (scenario_.stagger > 0ns)
    co_await kernel.sleep(scenario_.stagger * static_cast<Count>(i * scenario_.lanes.size() / pairs_.size()));
  UnderWay under_way;
  const auto batch = static_cast<std::uint64_t>(is_gpu_probe(scenario_.pattern) ? schema::loads_a_group : scenario_.batch);
  const bool shared = scenario_.sharing != Sharing::exclusive;  // a batch is then of several threads, a message each
  const auto every = std::max(batch, static_cast<std::uint64_t>(scenario_.signal_every));
  const std::uint64_t most =
      scenario_.in_flight > 0 ? static_cast<std::uint64_t>(scenario_.in_flight)
                              : std::max(2 * every, static_cast<std::uint64_t>(scenario_.iterations) / 4);
  for (std::uint64_t round = 0; round < rounds() || !under_way.empty();) {
    const bool posting = round < rounds() && under_way.size() + batch <= most;
    if (posting && channel.has_room(scenario_.bytes, static_cast<Count>(batch))) {
      const std::uint64_t n = std::min(batch, rounds() - round);
      bool signaled = false;
      for (std::uint64_t k = 0; k < n; ++k, ++round) {
        Message& message = messages_.take();
        message.number = round;
        message.track_delivery = false;
        begin(round);
        message.begun = kernel.now();
        message.completion.start(message.begun);
        under_way.add(message);
        paths::Operation operation{schema::verb(scenario_), scenario_.bytes, round + 1};
        operation.segments = static_cast<std::uint32_t>(scenario_.segments);
        operation.signaled = (round + 1) % every == 0 || round + 1 == rounds();
        signaled = operation.signaled;
        co_await channel.post(operation, message, k + 1 == n);
        message.issued = kernel.now();
        if (warm(message.number)) measured_.issue.add(message.issued - message.begun);
      }
      if (signaled) under_way.rung();
      continue;
    }
    if (!under_way.told()) {  // nothing under way asks for a CQE
      co_await channel.await_room(scenario_.bytes, static_cast<Count>(batch));
      continue;
    }
    const Picoseconds since = kernel.now();
    co_await under_way.reap(channel, [&](Message& message, Picoseconds batch_complete) {
      end(i, message, shared ? message.completion.last() : batch_complete);
    });
    if (posting) channel.stood(kernel.now() - since);
  }
}

/// @param complete  when the completion of its batch, on a shared queue its own, was in memory
void PutBw::end(std::size_t thread, Message& message, Picoseconds complete) {
  const Picoseconds now = pairs_.front().near.kernel().now();
  message.completed = now;
  message.completion.close(Stage::poll, pairs_[thread].near.who().c_str(), now);
  tell(message, pairs_[thread].near, pairs_[thread].far, false);
  ends_.push_back({complete, thread});
  Picoseconds &first = measured_.window_begin, &last = measured_.window_end;
  if (message.number + 1 == static_cast<std::uint64_t>(scenario_.warmup)) first = std::max(first, complete);
  if (message.number + 1 == rounds() && (last == Picoseconds{} || complete < last)) last = complete;
  if (warm(message.number)) {
    measured_.completion.add(message.completed - message.begun);
    measured_.ledgers.add(message.completed - message.begun, message.completion, message);
  }
  messages_.give(message);
  ++ended_;
  if (finished()) count();
}

/// A run too short for a window is taken whole.
void PutBw::count() {
  Picoseconds &begin = measured_.window_begin, &end = measured_.window_end;
  const auto sooner = [](const End& a, const End& b) { return a.at < b.at; };
  const std::size_t flows = scenario_.lanes.size();
  const auto flow = [&](const End& one) { return one.thread * flows / pairs_.size(); };
  std::vector<Picoseconds> flow_ends(flows);
  for (const End& one : ends_) flow_ends[flow(one)] = std::max(flow_ends[flow(one)], one.at);
  measured_.first_end = *std::min_element(flow_ends.begin(), flow_ends.end());
  if (end <= begin) {
    begin = Picoseconds{}, end = std::max_element(ends_.begin(), ends_.end(), sooner)->at;
    measured_.flow_ends = std::move(flow_ends);
  }
  measured_.flow_messages.assign(flows, 0);
  for (const End& one : ends_)
    if (one.at > begin && one.at <= end) {
      ++measured_.window_messages;
      ++measured_.flow_messages[flow(one)];
    }
  if (scenario_.role == Role::both) measured_.window_messages /= 2;  // of one NIC
  if (is_gpu_probe(scenario_.pattern)) measured_.window_messages *= std::min(schema::warp_lanes, scenario_.threads);  // a lane each
  measured_.window_bytes = scenario_.bytes * measured_.window_messages;
}

}  // namespace gicsim::workloads
