// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/copy_both_ways.h"

#include "scenarios/paths/places.h"

namespace gicsim::paths {

using system::AddressMap;

CopyBothWays::CopyBothWays(system::System& system, const schema::Scenario& scenario)
    : system_(system),
      scenario_(scenario),
      core_(system.node(0).host(), "node0.host.core0"),
      up_(system, scenario, 0, 0, 0, core_),
      down_(system, scenario, 0, 0, 1, core_) {}

CudaStream::Copy CopyBothWays::copy(Direction direction, const Operation& operation) const {
  const std::size_t buffers = direction == Direction::d2h ? 0 : 1;
  const Address gpu = places::source(AddressMap::gpu(0), buffers, operation.bytes),
                host = places::source(AddressMap::dram, buffers, operation.bytes);
  const bool to_host = direction == Direction::d2h;
  return {direction, to_host ? gpu : host, to_host ? host : gpu, operation.bytes, operation.value};
}

Task CopyBothWays::post(Operation operation, Message& message, bool) {
  co_await up_.copy(copy(Direction::d2h, operation), &message.completion, &message.delivery);
  down_ledger_.start(message.begun);
  down_ledger_.close(Stage::call, core_.host().name(), kernel().now());  // the other copy's call
  co_await down_.copy(copy(Direction::h2d, operation), &down_ledger_, &down_data_);
}

Task CopyBothWays::wait(Message& message) {
  co_await up_.synchronize(&message.completion);
  const Picoseconds first = kernel().now();
  co_await down_.synchronize(nullptr);
  if (down_ledger_.last() > first) {  // its release came while the thread was waiting for it
    message.completion = down_ledger_;
    message.delivery = down_data_;
  }
  message.completion.close(Stage::sync, core_.host().name(), kernel().now());
}

}  // namespace gicsim::paths
