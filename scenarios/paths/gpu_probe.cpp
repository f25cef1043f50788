// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/gpu_probe.h"

#include <bit>

#include "scenarios/paths/places.h"

namespace gicsim::paths {
namespace {

using system::AddressMap;

constexpr std::size_t doorbell = 0, answer = 1, loaded = 2;
Address host_word(std::size_t kind) { return places::word(AddressMap::dram, 0, kind); }

auto at_least(std::uint64_t value) {
  return [value](const Content& c) {
    const auto* seen = std::get_if<std::uint64_t>(&c);
    return seen != nullptr && *seen >= value;
  };
}

}  // namespace

GpuProbe::GpuProbe(system::System& system, const schema::Scenario& scenario)
    : system_(system),
      scenario_(scenario),
      thread_(system.kernel(), system.node(0).gpu(0), std::string(system.node(0).gpu(0).name()) + ".thread0",
              AddressMap::dram, AddressMap::window),
      base_(scenario.memory == Memory::hbm ? system.node(0).gpu(0).base() : AddressMap::dram) {
  thread_.host_cells(system.node(0).host().cells());
}

void GpuProbe::begin(Message& message) {
  message.begun = kernel().now();
  message.completion.start(message.begun);
  message.delivery.start(message.begun);
  thread_.follow(&message.completion);
}

Task GpuProbe::post(Operation operation, Message& message, bool) {
  switch (scenario_.pattern) {
    case Pattern::fence: co_await fence(message); break;
    case Pattern::host_atomic:
      begin(message);
      if (scenario_.memory == Memory::hbm) co_await thread_.fetch_add(word_, 1, Stage::compute);
      else co_await thread_.load(host_word(loaded), Stage::remote_read);  // non-posted and answered, as a read is
      break;
    case Pattern::host_store:
      begin(message);
      co_await thread_.store(places::word(base_, 0, loaded), scenario_.bytes, {}, Stage::build_wqe, Stage::build_wqe);
      break;
    case Pattern::doorbell_echo:
      begin(message);
      co_await thread_.store(host_word(doorbell), 8_B, operation.value, Stage::doorbell_issue);
      break;
    default:
      begin(message);
      co_await thread_.walk(next_load(), Stage::remote_read);
  }
}

/// As the hardware's chains go: a full cycle of a linear congruential generator modulo a power of two.
Address GpuProbe::next_load() {
  if (scenario_.footprint < scenario_.stride) return places::word(base_, 0, loaded);
  const auto stops = std::bit_floor(static_cast<std::uint64_t>(scenario_.footprint / scenario_.stride));
  stop_ = (1664525 * stop_ + 1013904223) % stops;
  return places::source(base_, 0, 8_B) + stop_ * static_cast<Address>(scenario_.stride.count());
}

Task GpuProbe::fence(Message& message) {
  thread_.follow(nullptr);
  for (Count i = 0; i < scenario_.stores; ++i)
    co_await thread_.store(places::source(base_, 0, 4_KiB) + static_cast<Address>(8 * i), 8_B, {}, Stage::build_wqe,
                           Stage::build_wqe);
  begin(message);
  const auto scope = scenario_.fence_scope == FenceScope::gpu ? gpu::Scope::gpu : gpu::Scope::system;
  const bool sc = scenario_.semantics == gicsim::Semantics::sc;
  co_await thread_.fence(sc ? gpu::Semantics::sequentially_consistent : gpu::Semantics::acquire_release, scope);
  if (scenario_.semantics == gicsim::Semantics::release)
    co_await thread_.store(places::word(thread_.gpu().base(), 0, loaded), 4_B, {}, Stage::build_wqe, Stage::build_wqe);
}

Task GpuProbe::wait(Message& message) {
  if (scenario_.pattern != Pattern::doorbell_echo) co_return;
  thread_.follow(&message.completion);
  const std::uint64_t value = message.number + 1;
  co_await thread_.poll(host_word(answer), at_least(value), Stage::poll, "the answer to doorbell " + std::to_string(value));
}

Answerer::Answerer(system::System& system, const schema::Scenario& scenario)
    : core_(system.node(0).host(), "node0.host.core0"), loop_(scenario.system.runtime.loop) {}

Task Answerer::arrival(Operation operation) {
  co_await core_.poll(host_word(doorbell), loop_, at_least(operation.value),
                      "doorbell " + std::to_string(operation.value));
  rung_ = operation.value;
}

void Answerer::seen(Message& message) {
  message.delivered = kernel().now();
  message.delivery.close(Stage::poll, core_.host().name(), message.delivered);
  message.completion.close(Stage::proxy_pickup, core_.host().name(), message.delivered);
  core_.store(host_word(answer), 8_B, rung_, nullptr, Stage::response_write);
}

}  // namespace gicsim::paths
