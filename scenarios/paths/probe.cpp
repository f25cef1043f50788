// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/probe.h"

#include "scenarios/paths/places.h"

namespace gicsim::paths {

using system::AddressMap;

RuntimeCaller::RuntimeCaller(system::System& system, const schema::Scenario& scenario)
    : system_(system),
      scenario_(scenario),
      core_(system.node(0).host(), "node0.host.core0"),
      stream_(system, scenario, 0, 0, 0, core_) {}

CudaStream::Copy RuntimeCaller::copy(const Operation& operation) const {
  const Address gpu = places::source(AddressMap::gpu(0), 0, longest(scenario_)),
                host = places::source(AddressMap::dram, 0, longest(scenario_));
  const bool to_host = scenario_.direction == Direction::d2h;
  return {scenario_.direction, to_host ? gpu : host, to_host ? host : gpu, operation.bytes, operation.value};
}

Address RuntimeCaller::target(const Operation& operation) const {
  return scenario_.pattern == Pattern::launch ? places::word(AddressMap::dram, 0, 2)
                                              : stream_.last_piece(copy(operation));
}

Task RuntimeCaller::post(Operation operation, Message& message, bool) {
  Ledger *ledger = &message.completion, *data = &message.delivery;
  if (scenario_.pattern == Pattern::launch)
    co_await stream_.launch(target(operation), operation.value, ledger, data);
  else if (scenario_.staging == Staging::pageable)
    co_await stream_.copy_pageable(copy(operation), ledger, data);
  else
    co_await stream_.copy(copy(operation), ledger, data);
}

Task RuntimeCaller::wait(Message& message) { co_await stream_.synchronize(&message.completion); }

Observer::Observer(system::System& system, const schema::Scenario& scenario, const RuntimeCaller& watched)
    : system_(system), watched_(watched), loop_(scenario.system.runtime.loop) {
  if (scenario.pattern == Pattern::launch || scenario.direction == Direction::d2h) {
    core_.emplace(system.node(0).host(), "node0.host.observer", true);
    return;
  }
  gpu::Gpu& gpu = system.node(0).gpu(0);
  thread_.emplace(system.kernel(), gpu, std::string(gpu.name()) + ".observer", AddressMap::dram, AddressMap::window);
  thread_->host_cells(system.node(0).host().cells());
}

Task Observer::arrival(Operation operation) {
  const auto wanted = [value = operation.value](const Content& c) {
    const auto* seen = std::get_if<std::uint64_t>(&c);
    return seen && *seen >= value;
  };
  const std::string what = "value " + std::to_string(operation.value);
  if (core_)
    co_await core_->poll(watched_.target(operation), loop_, wanted, what);
  else
    co_await thread_->poll(watched_.target(operation), wanted, Stage::poll, what);
}

void Observer::seen(Message& message) {
  message.delivered = kernel().now();
  message.delivery.close(Stage::poll, core_ ? core_->host().name() : thread_->gpu().name(), message.delivered);
}

}  // namespace gicsim::paths
