// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/gpu_direct.h"

#include <algorithm>

namespace gicsim::paths {
namespace {

using gpu::Scope;
using gpu::Semantics;

/// What stands between WQE, doorbell record and doorbell, as users write it. A release store is the
/// acquire-release fence of its scope and a plain store: Table 4 has them equal within 0.03 us.
gpu::Thread::Until order(gpu::Thread& thread, Ordering ordering) {
  switch (ordering) {
    case Ordering::none: break;
    case Ordering::gpu_fence:
    case Ordering::gpu_fence_dbr:
    case Ordering::gpu_release: return thread.fence(Semantics::acquire_release, Scope::gpu);
    case Ordering::threadfence: return thread.fence(Semantics::sequentially_consistent, Scope::gpu);
    case Ordering::sys_release: return thread.fence(Semantics::acquire_release, Scope::system);
    case Ordering::sys_fence: return thread.fence(Semantics::sequentially_consistent, Scope::system);
  }
  return thread.compute(0_cycles, Stage::fence);
}

/// Segments are written in pieces of 16 B, and only those in use.
Bytes wqe_stores(bool inlined, Bytes payload) {
  return pieces(inlined ? 36_B + payload : 48_B, 16_B) * 16_B;
}

/// The first inline segment holds the header and 12 B, a register's worth; each further 16 B of
/// payload have to be loaded.
std::int64_t further_pieces(Bytes payload) { return pieces(wqe_stores(true, payload), 16_B) - 3; }

std::uint64_t doorbell_value(std::uint32_t qpn, std::uint32_t producer) {
  return std::uint64_t{qpn} << 32 | producer;
}

}  // namespace

GpuDirect::GpuDirect(system::System& system, const schema::Scenario& scenario, std::size_t node,
                     std::size_t pair, std::size_t number, system::Queue queue)
    : GpuEnd(system, node, pair, number), scenario_(scenario), library_(scenario.system.library), queue_(queue) {}

bool GpuDirect::inlined(Bytes bytes) const {
  return scenario_.payload == Payload::inlined && library_.inlines && bytes <= queue_.nic->params().inline_max;
}

bool GpuDirect::has_room(Bytes bytes, Count n) const {
  const std::uint32_t units = nic::wqe_units(inlined(bytes), bytes) * static_cast<std::uint32_t>(n);
  return producer_ + units - completed_ <= queue_.depth;
}

Task GpuDirect::post(Operation operation, Message& message, bool ring) {
  const Bytes bytes = operation.bytes;
  thread_.follow(&message.completion);
  const bool in = inlined(bytes);
  Cycles call = library_.call;
  if (!in) call = call + library_.call_read;
  co_await thread_.compute(call, Stage::api);

  Wqe wqe{.inlined = in, .signaled = ring, .qpn = queue_.qpn, .index = producer_};
  wqe.local = source_;
  wqe.remote = remote_;
  wqe.length = bytes;
  wqe.value = operation.value;
  wqe.message = &message;
  message.index = producer_;
  const std::int64_t loads = in ? further_pieces(bytes) : 0;
  co_await thread_.compute(gpu_.params().wqe_build + gpu_.params().inline_load * loads, Stage::build_wqe);
  co_await thread_.store(slot(producer_), wqe_stores(in, bytes), wqe, Stage::build_wqe, Stage::build_wqe);
  co_await thread_.store(queue_.state, 8_B, std::uint64_t{producer_}, Stage::build_wqe, Stage::build_wqe);
  message.units = nic::wqe_units(in, bytes);
  producer_ += message.units;
  if (!ring) {
    unrung_.push_back(&message);
    co_return;
  }

  co_await order(thread_, scenario_.ordering);
  if (published_) {
    co_await thread_.store(published_, 8_B, ProxyRequest{.index = producer_, .message = &message}, Stage::call,
                           Stage::proxy_pickup);
    close_unrung();
    co_return;
  }
  co_await thread_.store(queue_.record, 4_B, std::uint64_t{producer_}, Stage::doorbell_issue, Stage::doorbell_issue);
  if (scenario_.ordering == Ordering::gpu_fence_dbr) co_await order(thread_, scenario_.ordering);
  co_await thread_.store(queue_.doorbell, 8_B, doorbell_value(queue_.qpn, producer_), Stage::doorbell_issue);
  close_unrung();
}

/// The batch's doorbell tells of these too.
void GpuDirect::close_unrung() {
  for (Message* earlier : unrung_) {
    earlier->completion.waited(kernel().now() - earlier->completion.last());
    earlier->completion.close(Stage::doorbell_issue, gpu_.name(), kernel().now());
  }
  unrung_.clear();
}

Task GpuDirect::wait(Message& message) {
  thread_.follow(&message.completion);
  const std::uint32_t wanted = message.index;
  co_await thread_.poll(
      queue_.completion,
      [this, wanted](const Content& c) {
        const auto* cqe = std::get_if<Cqe>(&c);
        if (cqe) seen_ = cqe->index;
        return cqe && static_cast<std::int32_t>(cqe->index - wanted) >= 0;
      },
      Stage::poll, "a CQE of " + std::string(queue_.nic->name()) + ".qp" + std::to_string(queue_.qpn) +
                       " for index " + std::to_string(wanted));
  completed_ = wanted + message.units;
  co_await thread_.compute(library_.completion, Stage::sync);
}

bool GpuDirect::retire(const Message& message) {
  if (static_cast<std::int32_t>(seen_ - message.index) < 0) return false;
  completed_ = message.index + message.units;
  return true;
}

Task GpuDirect::acquire(Message& message) {
  thread_.follow(&message.delivery);
  co_await thread_.compute(library_.receive, Stage::sync);
}

}  // namespace gicsim::paths
