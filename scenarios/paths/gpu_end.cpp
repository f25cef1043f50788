// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/gpu_end.h"

#include "scenarios/paths/places.h"

namespace gicsim::paths {
namespace {

/// Threads fill one multiprocessor after the other, 32 a warp.
gpu::Residence residence(const schema::Scenario& scenario, std::size_t number) {
  const auto each = static_cast<std::size_t>(scenario.threads / scenario.sms);
  const std::size_t sm = number / each, warps = (each + 31) / 32;
  return {sm, sm * warps + number % each / 32};
}

std::string thread_name(const gpu::Gpu& gpu, std::size_t number) {
  return std::string(gpu.name()) + ".thread" + std::to_string(number);
}

}  // namespace

GpuEnd::GpuEnd(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
               std::size_t number)
    : system_(system),
      scenario_(scenario),
      gpu_(system.node(node).gpu(pair)),
      thread_(system.kernel(), gpu_, thread_name(gpu_, number), system::AddressMap::dram,
              system::AddressMap::window, residence(scenario, number)),
      mtu_(nic_mtu(scenario, node)),
      buffer_(places::buffer(gpu_.base(), number, longest(scenario))),
      source_(places::source(gpu_.base(), number, longest(scenario))) {
  thread_.host_cells(system.node(node).host().cells());
}

Task GpuEnd::see(Address address, std::uint64_t value) {
  thread_.follow(nullptr);
  co_await thread_.poll(
      address,
      [value](const Content& c) {
        const auto* seen = std::get_if<std::uint64_t>(&c);
        return seen && *seen >= value;
      },
      Stage::poll, "a flag with value " + std::to_string(value), scenario_.poll_load == PollLoad::cached);
}

Address GpuEnd::told_at(const Operation& operation) const {
  if (operation.target) return operation.target;
  return operation.signal ? places::signal(buffer_, scenario_.bytes)
                          : places::flag(buffer_, operation.bytes, mtu_);
}

Task GpuEnd::arrival(Operation operation) { return see(told_at(operation), operation.value); }

void GpuEnd::seen(Message& message) {
  message.delivered = kernel().now();
  message.delivery.close(Stage::poll, gpu_.name(), message.delivered);
}

}  // namespace gicsim::paths
