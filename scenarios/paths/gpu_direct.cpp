// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/paths/gpu_direct.h"

namespace gicsim::paths {
namespace {

using gpu::Scope;
using gpu::Semantics;

/// Segments are written in pieces of 16 B, and only those in use; an atomic has one for its operands.
Bytes wqe_stores(const Wqe& wqe) {
  const Bytes head = (is_send(wqe.opcode) ? 16_B : is_atomic(wqe.opcode) ? 48_B : 32_B) + (wqe.service == Service::rc ? 0_B : 48_B);
  return pieces(head + (wqe.inlined ? 4_B + wqe.length : 16_B * std::int64_t{wqe.segments}), 16_B) * 16_B;
}

/// The first inline segment holds the header and 12 B, a register's worth; each further 16 B of
/// payload have to be loaded.
std::int64_t inline_loads(const Wqe& wqe) { return wqe.inlined ? pieces(4_B + wqe.length, 16_B) - 1 : 0; }

constexpr Bytes most_pushed(256);  ///< half of a BlueFlame register

/// The first word of a WQE's control segment, where the second one, with the queue's number, belongs.
std::uint64_t opcode_word(std::uint32_t index) {
  return std::uint64_t{index & 0xffff} << 8 | static_cast<std::uint64_t>(Opcode::rdma_write);
}

std::uint64_t doorbell_value(std::uint32_t qpn, std::uint32_t producer) {
  return std::uint64_t{qpn} << 32 | producer;
}

}  // namespace

GpuDirect::GpuDirect(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
                     std::size_t number, std::vector<SendQueue*> queues, PostingWarp* warp)
    : GpuEnd(system, scenario, node, pair, number),
      library_(scenario.system.library),
      number_(number),
      posters_(system.posters(node)),
      queues_(std::move(queues)),
      warp_(warp) {
  if (!told_by_receive(scenario)) return;
  Cells<Content>& cells = scenario.queues == Queues::gpu ? gpu_.cells() : system.node(node).host().cells();
  for (SendQueue* queue : queues_) receives_.emplace_back(queue->queue, scenario, cells, buffer()).fill({});
}

bool GpuDirect::inlined(Bytes bytes) const {
  return scenario_.payload == Payload::inlined && library_.inlines &&
         bytes <= queues_.front()->queue.nic->params().inline_max;
}

/// A shared queue fills up behind a poster's back: post() waits there itself.
bool GpuDirect::has_room(Bytes bytes, Count n) const {
  const SendQueue& queue = *queues_[current_];
  if (queue.sharing != Sharing::exclusive || scenario_.reserve == Reserve::blind) return true;
  std::uint32_t units = wqe_units(scenario_, inlined(bytes), bytes) * static_cast<std::uint32_t>(n);
  if (scenario_.wrap == Wrap::pad) units += units / static_cast<std::uint32_t>(n);
  return static_cast<std::uint32_t>(queue.reserved) + units - queue.completed <= queue.queue.depth;
}

/// What stands between WQE, doorbell record and doorbell, as users write it. A release store is the
/// acquire-release fence of its scope and a plain store: Table 4 has them equal within 0.03 us.
gpu::Thread::Until GpuDirect::order() {
  switch (scenario_.ordering) {
    case Ordering::none: break;
    case Ordering::gpu_fence:
    case Ordering::gpu_fence_dbr:
    case Ordering::gpu_release: return thread_.fence(Semantics::acquire_release, Scope::gpu);
    case Ordering::threadfence: return thread_.fence(Semantics::sequentially_consistent, Scope::gpu);
    case Ordering::sys_release: return thread_.fence(Semantics::acquire_release, Scope::system);
    case Ordering::sys_fence: return thread_.fence(Semantics::sequentially_consistent, Scope::system);
  }
  return thread_.compute(0_cycles, Stage::fence);
}

/// WQEs into the slots that the message's index names; there is room.
Task GpuDirect::build(Request& request, Message& message, SendQueue& queue, bool signaled) {
  const gpu::GpuParams& p = gpu_.params();
  request.place(queue.queue.qpn, message.index, signaled);
  for (const Wqe& wqe : request) {
    co_await thread_.compute(p.wqe_build + p.inline_load * inline_loads(wqe), Stage::build_wqe);
    co_await thread_.store(queue.slot(wqe.index), wqe_stores(wqe), wqe, Stage::build_wqe, Stage::build_wqe);
  }
}

Task GpuDirect::post(Operation operation, Message& message, bool ring) {
  thread_.follow(&message.completion);
  Request request = make_request(operation, buffers(), inlined(operation.bytes), message);
  address(request, queues_[current_]->queue, scenario_);
  Cycles call = library_.call;
  if (!request.wqes[0].inlined) call = call + library_.call_read;
  co_await thread_.compute(call, Stage::api);
  if (scenario_.signal_queue == SignalQueue::other) co_return co_await post_apart(request, message);
  if (operation.target) current_ = static_cast<std::uint32_t>(operation.queue);
  message.units = request.units();
  message.queue = current_;
  SendQueue& queue = *queues_[current_];
  if (scenario_.poller == Poller::maximum) co_await believe(queue, message.units);
  switch (queue.sharing) {
    case Sharing::exclusive: break;
    case Sharing::lock: co_return co_await post_locked(request, message, ring, queue);
    case Sharing::handoff: co_return co_await post_in_order(request, message, ring, queue);
    case Sharing::warp: co_return co_await post_as_warp(request, message, queue);
  }
  if (scenario_.wrap == Wrap::pad) co_await pad(queue, message.units);
  message.index = static_cast<std::uint32_t>(queue.reserved);
  ++visited_;
  co_await build(request, message, queue, ring && operation.signaled);
  co_await thread_.store(queue.queue.state, 8_B, std::uint64_t{message.index}, Stage::build_wqe, Stage::build_wqe);
  queue.reserved += message.units;
  queue.published = static_cast<std::uint32_t>(queue.reserved);
  if (!ring) {
    queue.unrung.push_back(&message);
    co_return;
  }
  co_await order();
  co_await ring_up(queue, &message, request.count == 1 && queue.unrung.empty() ? &request.wqes[0] : nullptr);
  if (scenario_.pattern == Pattern::quiet || visited_ < scenario_.visit) co_return;
  visited_ = 0;
  current_ = (current_ + 1) % static_cast<std::uint32_t>(queues_.size());
}

/// The data through the first queue pair, with a doorbell of their own, then the signal through the second.
Task GpuDirect::post_apart(Request& request, Message& message) {
  SendQueue &data = *queues_[0], &flags = *queues_[1];
  Request signal = request;
  signal.wqes[0] = request.wqes[1];
  signal.count = request.count = 1;
  for (const auto& [part, queue] : {std::pair{&request, &data}, std::pair{&signal, &flags}}) {
    message.index = static_cast<std::uint32_t>(queue->reserved);
    co_await build(*part, message, *queue, true);
    co_await thread_.store(queue->queue.state, 8_B, std::uint64_t{message.index}, Stage::build_wqe, Stage::build_wqe);
    queue->reserved += part->units();
    queue->published = static_cast<std::uint32_t>(queue->reserved);
    co_await order();
    if (part == &request) thread_.follow(nullptr);  // its doorbell carries no ledger: the signal's will
    co_await ring_up(*queue, &message);
    if (part == &signal) break;
    data_at_ = message.index;
    message.completion.close(Stage::doorbell_issue, gpu_.name(), kernel().now());
    thread_.follow(&message.completion);
  }
  message.units = signal.units();
  message.queue = 1;
}

/// Record and doorbell for all that is published, or the word that has a CPU thread write both. The
/// ledger that the thread follows, of `riding`, rides on it; it must not be closed by what comes next. `only`: all
/// that is published since the last ring, which may be pushed instead.
Task GpuDirect::ring_up(SendQueue& queue, Message* riding, const Wqe* only) {
  const std::uint32_t producer = queue.published;
  queue.rung = producer;
  if (queue.told) {
    co_await thread_.store(queue.told, 8_B, ProxyRequest{.index = producer, .message = riding}, Stage::call,
                           Stage::proxy_pickup);
  } else {
    if (scenario_.early_ring == EarlyRing::on) {
      ++posters_.early_rings;
      co_await this->ring(queue, producer, only);
      thread_.follow(nullptr);
    }
    if (scenario_.record == RecordOrder::before) co_await record(queue, producer);
    if (scenario_.ordering == Ordering::gpu_fence_dbr) co_await order();
    const std::uint64_t ticket = queue.bell ? co_await thread_.fetch_add(queue.bell->tickets, 1, Stage::doorbell_issue) : 0;
    if (queue.bell) co_await take_bell(*queue.bell, ticket);
    co_await this->ring(queue, producer, only);
    thread_.follow(nullptr);
    if (queue.bell) co_await thread_.store(queue.bell->turn, 8_B, ticket + 1, Stage::doorbell_issue, Stage::doorbell_issue);
    if (scenario_.record == RecordOrder::after) co_await record(queue, producer);
  }
  for (Message* earlier : queue.unrung) {
    earlier->completion.waited(kernel().now() - earlier->completion.last());
    earlier->completion.close(Stage::doorbell_issue, gpu_.name(), kernel().now());
  }
  queue.unrung.clear();
  thread_.follow(nullptr);
}

Task GpuDirect::record(SendQueue& queue, std::uint32_t producer) {
  const Address receive_slot = queue.queue.record + 4;
  co_await thread_.store(scenario_.mistake == Slip::record_slot ? receive_slot : queue.queue.record, 4_B,
                         std::uint64_t{producer}, Stage::doorbell_issue, Stage::doorbell_issue);
}

Task GpuDirect::ring(SendQueue& queue, std::uint32_t producer, const Wqe* only) {
  const Bytes length = only ? wqe_unit * nic::wqe_units(*only) : Bytes{};
  if (only && scenario_.push != Push::off && length <= most_pushed) {
    co_await thread_.push(queue.queue.doorbell, length, *only, scenario_.push == Push::warp);
    co_return;
  }
  Address at = queue.queue.doorbell;
  std::uint64_t value = doorbell_value(queue.queue.qpn, producer);
  if (scenario_.mistake == Slip::doorbell_page) at += 4096;
  if (scenario_.mistake == Slip::doorbell_value) value = opcode_word(producer - 1) << 32 | opcode_word(producer - 1);
  co_await thread_.store(at, 8_B, value, Stage::doorbell_issue);
}

Task GpuDirect::poke(Address address, std::uint64_t value, Message& message) {
  thread_.follow(&message.completion);
  co_await order();
  co_await thread_.store(address, 8_B, value, Stage::doorbell_issue);
  thread_.follow(nullptr);
}

Task GpuDirect::pad(SendQueue& queue, std::uint32_t units) {
  const auto index = static_cast<std::uint32_t>(queue.reserved);
  const std::uint32_t left = queue.queue.depth - index % queue.queue.depth;
  if (left >= units) co_return;
  Wqe nop{.opcode = Opcode::nop, .signaled = false, .qpn = queue.queue.qpn, .index = index};
  nop.segments = left;
  co_await thread_.compute(gpu_.params().wqe_build, Stage::build_wqe);
  co_await thread_.store(queue.slot(index), 16_B, nop, Stage::build_wqe, Stage::build_wqe);
  queue.reserved += left;
}

Task GpuDirect::wait(Message& message) {
  if (scenario_.signal_queue == SignalQueue::other) co_await complete_data();
  co_await complete(*queues_[message.queue], message);
  co_await thread_.compute(library_.completion, Stage::sync);
}

/// One queue pair after the other; `completion` covers the first one's instructions.
Task GpuDirect::quiet(Message& message) {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (i == message.queue) co_await complete(*queues_[i], message);
    else if (queues_[i]->cq) continue;  // one visit was of all
    else co_await thread_.load(queues_[i]->queue.completion, Stage::poll);
    if (i > 0) co_await thread_.compute(library_.quiet_queue, Stage::sync);
  }
  co_await thread_.compute(library_.completion, Stage::sync);
}

/// Of data that went before their signal through a queue of their own.
Task GpuDirect::complete_data() {
  SendQueue& queue = *queues_[0];
  thread_.follow(nullptr);
  co_await thread_.poll(queue.queue.completion,
                        [&queue, this](const Content& c) { return shows(queue, c, data_at_); }, Stage::poll, "the CQE of its data, index " + std::to_string(data_at_));
  queue.complete(queue.published);
}

/// Until the message's CQE, or a later one, is seen.
Task GpuDirect::complete(SendQueue& queue, Message& message) {
  if (!reached(queue.rung, message.index + message.units)) {  // published, and no batch was completed
    thread_.follow(nullptr);
    co_await ring_up(queue, nullptr);
  }
  thread_.follow(&message.completion);
  const std::uint32_t wanted = message.index;
  const std::string what = "a CQE of " + queue.who() + " for index " + std::to_string(wanted);
  if (queue.queue.cq_entries > 1) {
    if (schema::threads_share_cq(scenario_)) co_await take_in_turns(queue, message, what);
    else co_await take_cqes(queue, message, what);
  } else {
    co_await thread_.poll(
        queue.queue.completion,
        [&queue, &message, wanted, this](const Content& c) {
          const bool done = shows(queue, c, wanted);
          if (queue.status != CqeStatus::ok) message.completion.take_back(kernel().now());
          return done;
        },
        Stage::poll, what);
  }
  queue.complete(wanted + message.units);
}

/// An immediate is a CQE of the queue pair whose turn it was.
Task GpuDirect::arrival(Operation operation) {
  if (!told_by_receive(operation)) co_return co_await GpuEnd::arrival(operation);
  const std::uint64_t before = operation.value - 1;
  SendQueue& queue = *queues_[before % queues_.size()];
  thread_.follow(nullptr);
  co_await thread_.poll(queue.queue.receive_completion, received(static_cast<std::uint32_t>(before / queues_.size())),
                        Stage::poll, "a receive's CQE for value " + std::to_string(operation.value));
  receives_[before % queues_.size()].post(1, kernel().now());
}

Address GpuDirect::told_at(const Operation& operation) const {
  if (operation.verb == Verb::get) return queues_.front()->queue.completion;
  if (!told_by_receive(operation)) return GpuEnd::told_at(operation);
  return queues_[(operation.value - 1) % queues_.size()]->queue.receive_completion;
}

bool GpuDirect::failed(const Message& message) const { return queues_[message.queue]->status != CqeStatus::ok; }

/// Until all devices are usable again; then the queue pair is made anew.
Task GpuDirect::recover(Message& message) {
  const Picoseconds usable = std::max(system_.faults().usable_at(), kernel().now());
  co_await kernel().sleep(usable - kernel().now() + scenario_.system.setup.connect);
  queues_[message.queue]->renew();
  message.completion.close(Stage::retransmit, gpu_.name(), kernel().now());
}

bool GpuDirect::retire(const Message& message) {
  SendQueue& queue = *queues_[message.queue];
  if (!reached(queue.seen, message.index)) return false;
  queue.complete(message.index + message.units);
  return true;
}

Task GpuDirect::acquire(Message& message) {
  thread_.follow(&message.delivery);
  co_await thread_.compute(library_.receive, Stage::sync);
}

}  // namespace gicsim::paths
