// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/barrier_threads.h"

#include "scenarios/paths/places.h"
#include "scenarios/paths/poller.h"

namespace gicsim::paths {
namespace {

host::Core::Poll::Wanted come_to(std::uint64_t value) {
  return [value](const Content& c) {
    const auto* seen = std::get_if<std::uint64_t>(&c);
    return seen && *seen >= value;
  };
}

}  // namespace

/// What the post has in its own ledger until it returns is the barrier's.
Task GpuBarrierThread::tell(std::size_t link, Address word, Message& message) {
  Message& own = told_ < messages_.size() ? messages_[told_] : messages_.emplace_back();
  ++told_;
  own.track_delivery = false;
  own.completion.start(kernel().now());
  co_await end_.post({.verb = Verb::fetch_add, .bytes = 8_B, .value = 1, .target = word, .queue = link}, own, true);
  message.completion.close(Stage::doorbell_issue, who().c_str(), kernel().now());
}

Task GpuBarrierThread::see(Address word, std::uint64_t value, Message& message) {
  co_await end_.arrival({.verb = Verb::fetch_add, .bytes = 8_B, .value = value, .target = word});
  message.completion.close(Stage::poll, who().c_str(), kernel().now());
}

Task GpuBarrierThread::reclaim() {
  for (std::size_t i = 0; i < told_; ++i) co_await end_.wait(messages_[i]);
  told_ = 0;
}

CpuBarrierThread::CpuBarrierThread(system::System& system, const schema::Scenario& scenario, std::size_t node,
                                   std::vector<system::Queue> queues)
    : system_(system),
      verbs_(scenario.system.verbs),
      core_(system.node(node).host(), "node" + std::to_string(node) + ".host.core0") {
  for (const system::Queue& queue : queues) links_.push_back({queue});
}

Task CpuBarrierThread::tell(std::size_t number, Address word, Message& message) {
  Link& link = links_[number];
  const system::Queue& queue = link.queue;
  co_await core_.work(verbs_.post, verbs_.misses, &message.completion, Stage::call);
  Wqe wqe{.opcode = Opcode::fetch_add, .qpn = queue.qpn, .index = link.producer};
  wqe.local = places::word(system::AddressMap::dram, number, 3);
  wqe.remote = word;
  wqe.length = 8_B;
  wqe.value = 1;
  wqe.flag = true;
  core_.store(queue.ring + wqe.index % queue.depth * Address{64}, wqe_unit, wqe, nullptr, Stage::call);
  ++link.producer;
  core_.store(queue.record, 4_B, std::uint64_t{link.producer}, nullptr, Stage::call);
  if (verbs_.blueflame) core_.store(queue.doorbell, wqe_unit, wqe, nullptr, Stage::doorbell_flight);
  else
    core_.store(queue.doorbell, 8_B, std::uint64_t{queue.qpn} << 32 | link.producer, nullptr, Stage::doorbell_flight);
}

Task CpuBarrierThread::see(Address word, std::uint64_t value, Message& message) {
  co_await core_.poll(word, verbs_.loop, come_to(value), "a word with value " + std::to_string(value));
  message.completion.close(Stage::poll, core_.who().c_str(), kernel().now());
}

Task CpuBarrierThread::reclaim() {
  for (Link& link : links_) {
    if (link.completed == link.producer) continue;
    const std::uint32_t wanted = link.producer - 1;
    co_await core_.poll(
        link.queue.completion, verbs_.loop,
        [wanted](const Content& c) {
          const auto* cqe = std::get_if<Cqe>(&c);
          return cqe && tells_of(*cqe, wanted);
        },
        "a CQE of " + std::string(link.queue.nic->name()) + ".qp" + std::to_string(link.queue.qpn) + " for index " +
            std::to_string(wanted));
    link.completed = link.producer;
    co_await core_.work(verbs_.completion, verbs_.completion_misses, nullptr, Stage::sync);
  }
}

}  // namespace gicsim::paths
