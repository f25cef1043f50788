// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/cpu_proxy.h"

#include <algorithm>

namespace gicsim::paths {

CpuProxy::CpuProxy(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
                   std::size_t number, RequestRing& ring)
    : GpuEnd(system, scenario, node, pair, number), params_(scenario.system.proxy), ring_(ring) {}

/// A shared ring fills up behind a thread's back: post() waits there itself.
bool CpuProxy::has_room(Bytes, Count n) const {
  if (ring_.shared) return true;
  return ring_.reserved + static_cast<std::uint64_t>(n) - completed_ <= ring_.depth;
}

void CpuProxy::note(const Content& counter) {
  if (const auto* done = std::get_if<std::uint64_t>(&counter)) seen_ = std::max(seen_, *done);
}

Task CpuProxy::post(Operation operation, Message& message, bool) {
  thread_.follow(&message.completion);
  co_await thread_.compute(params_.enqueue, Stage::api);
  std::uint64_t index = ring_.reserved;
  if (params_.reserve) index = co_await thread_.fetch_add(ring_.reserved, 1, Stage::call);
  else ++ring_.reserved;
  ring_.taken.push_back(kernel().now());
  if (params_.progress == Progress::read) note(co_await thread_.load(ring_.counter, Stage::call));
  if (full(index)) co_await await_room(index);
  const bool in = params_.inlines && scenario_.payload == Payload::inlined && operation.bytes <= request_inline;
  const Wqe wqe = make_request(operation, buffers(), in, message).wqes[0];
  ProxyRequest request{.index = static_cast<std::uint32_t>(index), .opcode = wqe.opcode, .inlined = wqe.inlined};
  request.local = wqe.local;
  request.remote = wqe.remote;
  request.length = wqe.length;
  request.value = wqe.value;
  request.compare = wqe.compare;
  request.message = &message;
  message.index = request.index;
  const Address slot = ring_.slot(index);
  if (!params_.publish_fence) {
    co_await thread_.store(slot, RequestRing::slot_size, request, Stage::call, Stage::proxy_pickup);
    co_return;
  }
  // The descriptor, then a release at system scope, then the word that makes it valid.
  co_await thread_.store(slot + (Address{1} << 20), RequestRing::slot_size, {}, Stage::call, Stage::call);
  co_await thread_.fence(gpu::Semantics::acquire_release, gpu::Scope::system);
  co_await thread_.store(slot, 8_B, request, Stage::call, Stage::proxy_pickup);
}

/// The ring looks full: the counter is read until it says otherwise.
Task CpuProxy::await_room(std::uint64_t index) {
  co_await thread_.poll(
      ring_.counter,
      [this, index](const Content& c) {
        note(c);
        return !full(index);
      },
      Stage::call, "room in its ring for request " + std::to_string(index));
}

Task CpuProxy::wait(Message& message) {
  thread_.follow(&message.completion);
  const std::uint64_t wanted = message.index + std::uint64_t{1};
  co_await thread_.poll(
      ring_.counter,
      [this, wanted](const Content& c) {
        note(c);
        return seen_ >= wanted;
      },
      Stage::poll, "the proxy's counter to reach " + std::to_string(wanted));
  completed_ = std::max(completed_, wanted);
  co_await thread_.compute(params_.gpu_completion, Stage::sync);
}

bool CpuProxy::retire(const Message& message) {
  if (seen_ <= message.index) return false;
  completed_ = std::max(completed_, message.index + std::uint64_t{1});
  return true;
}

Task CpuProxy::acquire(Message& message) {
  thread_.follow(&message.delivery);
  if (params_.receive_fence) co_await thread_.fence(gpu::Semantics::acquire_release, gpu::Scope::system);
  co_await thread_.compute(params_.receive, Stage::sync);
}

}  // namespace gicsim::paths
