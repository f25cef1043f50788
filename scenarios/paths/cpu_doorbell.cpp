// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/cpu_doorbell.h"

#include "scenarios/paths/places.h"

namespace gicsim::paths {

Ringer::Ringer(system::System& system, const schema::Scenario& scenario, std::size_t node)
    : system_(system),
      verbs_(scenario.system.verbs),
      elsewhere_(scenario.mistake == Slip::index_memory),
      core_(system.node(node).host(), "node" + std::to_string(node) + ".host.ringer0") {}

void Ringer::add(SendQueue& queue) {
  queue.told = places::word(system::AddressMap::dram, queues_, 0);
  system_.kernel().start(core_.who() + ".queue" + std::to_string(queues_++), serve(queue.queue, queue.told),
                         Kernel::Kind::service);
  if (elsewhere_) queue.told = places::word(system::AddressMap::dram, queues_ - 1, 1);
}

/// Rings once for all that was published until it came to look.
Task Ringer::serve(system::Queue queue, Address published) {
  const auto request = [](const Content& c) { return std::get_if<ProxyRequest>(&c); };
  for (std::uint32_t rung = 0;;) {
    co_await core_.poll(
        published, verbs_.loop, [=](const Content& c) { return request(c) && request(c)->index != rung; },
        "an index other than " + std::to_string(rung));
    const ProxyRequest seen = *request(*core_.peek(published));
    Ledger* ledger = seen.message ? &seen.message->completion : nullptr;
    if (ledger) ledger->close(Stage::proxy_pickup, core_.host().name(), system_.kernel().now());
    co_await core_.work(verbs_.ring, verbs_.ring_misses, ledger, Stage::proxy_work);
    rung = seen.index;
    core_.store(queue.record, 4_B, std::uint64_t{rung}, nullptr, Stage::doorbell_flight);
    core_.store(queue.doorbell, 8_B, std::uint64_t{queue.qpn} << 32 | rung, ledger, Stage::doorbell_flight);
  }
}

}  // namespace gicsim::paths
