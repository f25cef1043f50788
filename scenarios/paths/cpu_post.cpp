// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/cpu_post.h"

#include "scenarios/paths/places.h"

namespace gicsim::paths {

CpuPost::CpuPost(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
                 std::size_t number, system::Queue queue)
    : CpuEnd(system, scenario, node, pair, number, queue) {
  gpu::Gpu& gpu = system.node(node).gpu(pair);
  if (reads_gpu(scenario.gdr)) source_ = places::source(gpu.base(), number, longest(scenario));
  if (writes_gpu(scenario.gdr)) buffer_ = places::buffer(gpu.base(), number, longest(scenario));
  core_.window_cells(gpu.cells());
  if (scenario.receiver == Receiver::cpu) return;
  thread_.emplace(system.kernel(), gpu, std::string(gpu.name()) + ".thread" + std::to_string(number),
                  system::AddressMap::dram, system::AddressMap::window);
  thread_->host_cells(system.node(node).host().cells());
}

Task CpuPost::arrival(Operation operation) {
  const auto wanted = [value = operation.value](const Content& c) {
    const auto* seen = std::get_if<std::uint64_t>(&c);
    return seen && *seen >= value;
  };
  const std::string what = "a flag with value " + std::to_string(operation.value);
  if (!thread_) {
    co_await core_.poll(flag(operation.bytes), verbs_.loop, wanted, what);
    co_return;
  }
  thread_->follow(nullptr);
  co_await thread_->poll(flag(operation.bytes), wanted, Stage::poll, what);
}

void CpuPost::seen(Message& message) {
  message.delivered = kernel().now();
  message.delivery.close(Stage::poll, thread_ ? thread_->gpu().name() : core_.host().name(), message.delivered);
}

Task CpuPost::acquire(Message& message) { co_await core_.work(verbs_.receive, 0, &message.delivery, Stage::sync); }

}  // namespace gicsim::paths
