// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/bar_probe.h"

#include "scenarios/paths/places.h"

namespace gicsim::paths {
namespace {

using system::AddressMap;

Address window(const schema::Scenario& scenario) { return places::buffer(AddressMap::gpu(0), 0, scenario.bytes); }
Address answer() { return places::word(AddressMap::dram, 0, 3); }

auto at_least(std::uint64_t value) {
  return [value](const Content& c) {
    const auto* seen = std::get_if<std::uint64_t>(&c);
    return seen != nullptr && *seen >= value;
  };
}

}  // namespace

BarWriter::BarWriter(system::System& system, const schema::Scenario& scenario)
    : scenario_(scenario), core_(system.node(0).host(), "node0.host.core0") {}

Task BarWriter::post(Operation operation, Message& message, bool) {
  if (scenario_.pattern == Pattern::bar_write)
    co_await core_.work(scenario_.system.runtime.window_copy, 0, &message.completion, Stage::call);
  co_await core_.fill(window(scenario_), operation.bytes, operation.value, &message.completion, &message.delivery,
                      Stage::call, Stage::remote_write);
}

Task BarWriter::arrival(Operation operation) {
  co_await core_.poll(answer(), scenario_.system.runtime.loop, at_least(operation.value),
                      "answer " + std::to_string(operation.value));
}

void BarWriter::seen(Message& message) {
  message.delivered = kernel().now();
  message.delivery.close(Stage::poll, core_.host().name(), message.delivered);
}

BarReader::BarReader(system::System& system, const schema::Scenario& scenario)
    : scenario_(scenario),
      thread_(system.kernel(), system.node(0).gpu(0), std::string(system.node(0).gpu(0).name()) + ".thread0",
              AddressMap::dram, AddressMap::window) {
  thread_.host_cells(system.node(0).host().cells());
}

Task BarReader::post(Operation operation, Message& message, bool) {
  message.delivery = message.completion;
  thread_.follow(&message.delivery);
  co_await thread_.store(answer(), operation.bytes, operation.value, Stage::compute, Stage::response_write);
  thread_.follow(nullptr);
}

Task BarReader::arrival(Operation operation) {
  co_await thread_.poll(host::Core::last_line(window(scenario_), operation.bytes), at_least(operation.value), Stage::poll,
                        "value " + std::to_string(operation.value));
}

void BarReader::seen(Message& message) {
  message.delivered = kernel().now();
  message.delivery.close(Stage::poll, thread_.gpu().name(), message.delivered);
}

}  // namespace gicsim::paths
