// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/cpu_proxy.h"

#include <algorithm>

namespace gicsim::paths {
namespace {

constexpr Bytes request_size(16);

Address request_slot(const ProxyWorker::Ring& ring, std::uint32_t index) {
  return ring.requests + index % ring.depth * static_cast<Address>(request_size.count());
}

}  // namespace

ProxyWorker::ProxyWorker(system::System& system, const schema::Scenario& scenario, std::size_t node)
    : system_(system),
      scenario_(scenario),
      params_(scenario.system.proxy),
      core_(system.node(node).host(), "node" + std::to_string(node) + ".host.proxy0") {}

const ProxyWorker::Ring& ProxyWorker::add_ring(std::size_t pair, system::Queue queue, Address gpu_counter) {
  auto ring = std::make_unique<Ring>();
  ring->queue = queue;
  ring->depth = queue.depth;
  const Address area = (Address{1} << 39) + (pair * 4096 + queue.qpn) * (Address{1} << 22);
  ring->requests = area;
  ring->counter = params_.completion == Completion::gpu ? gpu_counter : area + (Address{1} << 21);
  rings_.push_back(std::move(ring));
  const Ring& made = *rings_.back();
  const std::string who = core_.who() + ".ring" + std::to_string(rings_.size() - 1);
  system_.kernel().start(who + ".requests", serve(made), Kernel::Kind::service);
  system_.kernel().start(who + ".completions", complete(made), Kernel::Kind::service);
  return made;
}

/// Requests in order; up to a batch of those that are there share one doorbell.
Task ProxyWorker::serve(const Ring& ring) {
  Kernel& kernel = system_.kernel();
  std::uint32_t producer = 0;
  for (std::uint32_t index = 0;;) {
    const auto is_request = [](const Content& c, std::uint32_t i) {
      const auto* request = std::get_if<ProxyRequest>(&c);
      return request && request->index == i;
    };
    co_await core_.poll(request_slot(ring, index), params_.loop, [=](const Content& c) { return is_request(c, index); },
                        "request " + std::to_string(index));
    Wqe wqe;
    Count batched = 0;
    for (; batched < scenario_.batch; ++batched, ++index) {
      const Content* content = core_.peek(request_slot(ring, index));
      if (!content || !is_request(*content, index)) break;
      const ProxyRequest request = std::get<ProxyRequest>(*content);
      Ledger* ledger = request.message ? &request.message->completion : nullptr;
      if (ledger) ledger->close(Stage::proxy_pickup, core_.host().name(), kernel.now());
      const bool first = batched == 0;
      co_await core_.work(first ? params_.work : params_.work_more, first ? params_.misses : 0, ledger,
                          Stage::proxy_work);
      wqe = {.opcode = request.opcode, .inlined = request.inlined, .qpn = ring.queue.qpn, .index = producer};
      wqe.local = request.local;
      wqe.remote = request.remote;
      wqe.length = request.length;
      wqe.value = request.value;
      wqe.compare = request.compare;
      wqe.message = request.message;
      core_.store(ring.queue.ring + producer % ring.queue.depth * Address{64}, wqe_unit, wqe, nullptr,
                  Stage::doorbell_issue);
      ++producer;
    }
    core_.store(ring.queue.record, 4_B, std::uint64_t{producer}, nullptr, Stage::doorbell_issue);
    Ledger* ledger = wqe.message ? &wqe.message->completion : nullptr;
    if (params_.blueflame && batched == 1)
      core_.store(ring.queue.doorbell, wqe_unit, wqe, ledger, Stage::doorbell_flight);
    else
      core_.store(ring.queue.doorbell, 8_B, std::uint64_t{ring.queue.qpn} << 32 | producer, ledger,
                  Stage::doorbell_flight);
  }
}

/// Whatever the collapsed CQ tells of is passed on with one store to the counter.
Task ProxyWorker::complete(const Ring& ring) {
  for (std::uint32_t done = 0;;) {
    co_await core_.poll(
        ring.queue.completion, params_.loop,
        [done](const Content& c) {
          const auto* cqe = std::get_if<Cqe>(&c);
          return cqe && static_cast<std::int32_t>(cqe->index - done) >= 0;
        },
        "a CQE for index " + std::to_string(done));
    const Cqe cqe = std::get<Cqe>(*core_.peek(ring.queue.completion));
    done = cqe.index + 1;
    Ledger* ledger = cqe.message ? &cqe.message->completion : nullptr;
    if (ledger) ledger->close(Stage::proxy_pickup, core_.host().name(), system_.kernel().now());
    co_await core_.work(params_.completion_work, params_.completion_misses, ledger, Stage::proxy_work);
    core_.store(ring.counter, 8_B, std::uint64_t{done}, ledger, Stage::response_write);
  }
}

CpuProxy::CpuProxy(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
                   std::size_t number, system::Queue queue, ProxyWorker& worker)
    : GpuEnd(system, scenario, node, pair, number),
      params_(scenario.system.proxy),
      ring_(worker.add_ring(pair, queue, gpu_.base() + (Address{1} << 37) + number * Address{4096})) {}

bool CpuProxy::has_room(Bytes, Count n) const {
  return producer_ + static_cast<std::uint32_t>(n) - completed_ <= ring_.depth;
}

Task CpuProxy::post(Operation operation, Message& message, bool) {
  thread_.follow(&message.completion);
  co_await thread_.compute(params_.enqueue, Stage::api);
  const bool in = params_.inlines && scenario_.payload == Payload::inlined && operation.bytes <= request_inline;
  const Wqe wqe = make_request(operation, buffers(), in, message).wqes[0];
  ProxyRequest request{.index = producer_, .opcode = wqe.opcode, .inlined = wqe.inlined};
  request.local = wqe.local;
  request.remote = wqe.remote;
  request.length = wqe.length;
  request.value = wqe.value;
  request.compare = wqe.compare;
  request.message = &message;
  message.index = producer_++;
  const Address slot = request_slot(ring_, request.index);
  if (!params_.publish_fence) {
    co_await thread_.store(slot, request_size, request, Stage::call, Stage::proxy_pickup);
    co_return;
  }
  // The descriptor, then a release at system scope, then the word that makes it valid.
  co_await thread_.store(slot + (Address{1} << 20), request_size, {}, Stage::call, Stage::call);
  co_await thread_.fence(gpu::Semantics::acquire_release, gpu::Scope::system);
  co_await thread_.store(slot, 8_B, request, Stage::call, Stage::proxy_pickup);
}

Task CpuProxy::wait(Message& message) {
  thread_.follow(&message.completion);
  const std::uint64_t wanted = message.index + std::uint64_t{1};
  co_await thread_.poll(
      ring_.counter,
      [this, wanted](const Content& c) {
        if (const auto* counter = std::get_if<std::uint64_t>(&c)) seen_ = *counter;
        return seen_ >= wanted;
      },
      Stage::poll,
      "the proxy's counter to reach " + std::to_string(wanted));
  completed_ = message.index + 1;
  co_await thread_.compute(params_.gpu_completion, Stage::sync);
}

bool CpuProxy::retire(const Message& message) {
  if (seen_ <= message.index) return false;
  completed_ = message.index + 1;
  return true;
}

Task CpuProxy::acquire(Message& message) {
  thread_.follow(&message.delivery);
  if (params_.receive_fence) co_await thread_.fence(gpu::Semantics::acquire_release, gpu::Scope::system);
  co_await thread_.compute(params_.receive, Stage::sync);
}

}  // namespace gicsim::paths
