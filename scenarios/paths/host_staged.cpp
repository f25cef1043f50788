// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/host_staged.h"

#include "scenarios/paths/places.h"

namespace gicsim::paths {

using system::AddressMap;

HostStaged::HostStaged(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
                       std::size_t number, system::Queue queue)
    : CpuEnd(system, scenario, node, number, queue),
      gpu_(system.node(node).gpu(pair)),
      down_(system, scenario, node, pair, 2 * number, core_),
      up_(system, scenario, node, pair, 2 * number + 1, core_),
      thread_(system.kernel(), gpu_, std::string(gpu_.name()) + ".thread" + std::to_string(number), AddressMap::dram,
              AddressMap::window),
      gpu_source_(places::source(gpu_.base(), number, longest(scenario))),
      gpu_buffer_(places::buffer(gpu_.base(), number, longest(scenario))) {
  system.kernel().start(core_.who() + ".forward", forward(), Kernel::Kind::service);
}

Task HostStaged::copy(CudaStream& stream, const CudaStream::Copy& copy, Ledger* ledger, Ledger* data) {
  if (scenario_.staging == Staging::pageable) co_await stream.copy_pageable(copy, ledger, data);
  else co_await stream.copy(copy, ledger, data);
  co_await stream.synchronize(ledger);
}

Task HostStaged::post(Operation operation, Message& message, bool ring) {
  co_await copy(down_, {Direction::d2h, gpu_source_, source_, operation.bytes, operation.value}, &message.completion,
                nullptr);
  co_await submit(operation, message, ring);
}

CudaStream::Copy HostStaged::upward(std::uint64_t value) const {
  return {Direction::h2d, buffer_, gpu_buffer_, scenario_.bytes, value};
}

/// What arrives is copied up, each message by itself, in order.
Task HostStaged::forward() {
  for (std::uint64_t done = 0;;) {
    std::uint64_t here = 0;
    co_await core_.poll(
        flag(scenario_.bytes), verbs_.loop,
        [&here, done](const Content& c) {
          const auto* seen = std::get_if<std::uint64_t>(&c);
          if (seen) here = *seen;
          return here > done;
        },
        "a message after " + std::to_string(done));
    while (done < here) {
      arrived_.start(kernel().now());
      co_await copy(up_, upward(++done), &arrived_, &copied_);
    }
  }
}

Task HostStaged::arrival(Operation operation) {
  thread_.follow(nullptr);
  co_await thread_.poll(
      up_.last_piece(upward(operation.value)),
      [value = operation.value](const Content& c) {
        const auto* seen = std::get_if<std::uint64_t>(&c);
        return seen && *seen >= value;
      },
      Stage::poll, "a flag with value " + std::to_string(operation.value));
}

void HostStaged::seen(Message& message) {
  message.delivered = kernel().now();
  message.delivery.close(Stage::poll, core_.host().name(), copied_.begun());
  message.delivery.append(copied_);
  message.delivery.close(Stage::poll, gpu_.name(), message.delivered);
}

/// The GPU thread has it: whoever replies, by the same three hops, is the CPU thread.
Task HostStaged::acquire(Message& message) { co_await core_.work(verbs_.receive, 0, &message.delivery, Stage::sync); }

}  // namespace gicsim::paths
