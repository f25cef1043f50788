// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "scenarios/paths/gpu_direct.h"

/// Posting to queue pairs that threads share.
namespace gicsim::paths {

using gpu::Scope;
using gpu::Semantics;

/// Until the ring has room up to an index: polls for the completion that frees it.
Task GpuDirect::await_room(SendQueue& queue, std::uint32_t up_to) {
  const std::uint32_t wanted = up_to - queue.queue.depth;  // units that must be complete
  if (reached(queue.completed, wanted) || scenario_.reserve == Reserve::blind) co_return;
  const Picoseconds since = kernel().now();
  co_await thread_.poll(
      queue.queue.completion, [&queue, wanted, this](const Content& c) { return shows(queue, c, wanted - 1); },
      Stage::call, "room in the send queue of " + queue.who() + " up to index " + std::to_string(up_to));
  posters_.stood(kernel().now() - since);
  queue.complete(queue.seen + 1);
}

/// Until the hand-off word says so.
Task GpuDirect::take_turn(SendQueue& queue, std::uint64_t turn, Stage stage) {
  came_ = kernel().now();
  if (turn == 0) co_return;  // nobody was before
  co_await thread_.poll(
      queue.turn(),
      [turn](const Content& c) {
        const auto* word = std::get_if<std::uint64_t>(&c);
        return word && *word == turn;
      },
      stage, "its turn (" + std::to_string(turn) + ") at the send queue of " + std::string(queue.queue.nic->name()) +
                 ".qp" + std::to_string(queue.queue.qpn));
}

/// The next one's turn. One's own began with the predecessor's end, or when one came.
gpu::Thread::Store GpuDirect::hand_on(SendQueue& queue, std::uint64_t turn) {
  gpu_.count_turn(kernel().now() - std::max(queue.handed_on, came_));
  queue.handed_on = kernel().now();
  return thread_.store(queue.turn(), 8_B, turn, Stage::sync, Stage::sync);
}

/// A ticket lock around the whole post. The doorbell's fence has ordered the WQE; the unlocking
/// store is plain.
Task GpuDirect::post_locked(Request& request, Message& message, bool ring, SendQueue& queue) {
  const std::uint64_t ticket = co_await thread_.fetch_add(queue.tickets, 1, Stage::call);
  co_await take_turn(queue, ticket, Stage::call);
  message.index = static_cast<std::uint32_t>(queue.reserved);
  co_await await_room(queue, message.index + message.units);
  co_await build(request, message, queue, ring);
  co_await thread_.store(queue.queue.state, 8_B, std::uint64_t{message.index}, Stage::build_wqe, Stage::build_wqe);
  queue.reserved += message.units;
  queue.published = static_cast<std::uint32_t>(queue.reserved);
  if (ring) {
    co_await order();
    co_await ring_up(queue, &message);
  } else {
    queue.unrung.push_back(&message);
    thread_.follow(nullptr);
  }
  co_await hand_on(queue, ticket + 1);
}

/// Slots are reserved at once and published in that order: nobody passes an unfinished predecessor.
/// The word that hands on is a release: it covers the predecessors' WQEs, too. Rung is when a batch of
/// slots is full, or of the poster's own.
Task GpuDirect::post_in_order(Request& request, Message& message, bool ring, SendQueue& queue) {
  const std::uint64_t mine = co_await thread_.fetch_add(queue.reserved, message.units, Stage::call);
  message.index = static_cast<std::uint32_t>(mine);
  co_await await_room(queue, message.index + message.units);
  co_await build(request, message, queue, true);
  co_await order();
  co_await take_turn(queue, mine, Stage::sync);
  const std::uint64_t next = mine + message.units;
  if (scenario_.doorbell == Doorbell::latest_atomic) co_return co_await post_newest(queue, message, next);
  const auto batch = static_cast<std::uint64_t>(scenario_.batch) * message.units;
  queue.published = static_cast<std::uint32_t>(next);
  const auto behind = static_cast<std::uint32_t>(next) + message.units;  // a successor may wait for its slot
  const bool latest = next == queue.reserved || !reached(queue.completed + queue.queue.depth, behind);
  if (scenario_.doorbell == Doorbell::latest ? latest : ring || next % batch == 0) {
    co_await ring_up(queue, &message);
  } else {
    queue.unrung.push_back(&message);
    thread_.follow(nullptr);
  }
  if (ordered()) co_await thread_.fence(Semantics::acquire_release, Scope::gpu, Stage::sync);
  co_await hand_on(queue, next);
}

/// Hands on before it rings. Then an atomic on the newest index says whether a successor has published since, and will ring;
/// if not, its own doorbell tells of all before it, too. Doorbells may overtake each other, so none carries a ledger.
Task GpuDirect::post_newest(SendQueue& queue, Message& message, std::uint64_t next) {
  queue.published = static_cast<std::uint32_t>(next);
  queue.unrung.push_back(&message);
  thread_.follow(nullptr);
  if (ordered()) co_await thread_.fence(Semantics::acquire_release, Scope::gpu, Stage::sync);
  co_await hand_on(queue, next);
  co_await thread_.fetch_add(queue.newest, 0, Stage::sync);
  if (queue.published == static_cast<std::uint32_t>(next)) co_await ring_up(queue, nullptr);
}

/// Threads of a process take turns at its doorbell register.
Task GpuDirect::take_bell(Bell& bell, std::uint64_t ticket) {
  if (ticket == 0) co_return;
  co_await thread_.poll(
      bell.turn,
      [ticket](const Content& c) {
        const auto* word = std::get_if<std::uint64_t>(&c);
        return word && *word == ticket;
      },
      Stage::doorbell_issue, "its turn (" + std::to_string(ticket) + ") at the doorbell register of its process");
}

/// One reservation and one doorbell a warp; the lanes fill their slots side by side. The last lane
/// leads, so that its WQE is the one that the doorbell is for.
Task GpuDirect::post_as_warp(Request& request, Message& message, SendQueue& queue) {
  const auto lanes = static_cast<std::uint32_t>(scenario_.batch);
  co_await warp_->lanes.meet();
  if (leads())
    warp_->base = static_cast<std::uint32_t>(
        co_await thread_.fetch_add(queue.reserved, std::uint64_t{lanes} * message.units, Stage::call));
  co_await warp_->lanes.meet();
  const std::uint32_t base = warp_->base;
  message.index = base + static_cast<std::uint32_t>(lane()) * message.units;
  co_await await_room(queue, message.index + message.units);
  co_await build(request, message, queue, leads());
  if (!leads()) {
    warp_->built.push_back(&message);
    thread_.follow(nullptr);
  }
  co_await warp_->lanes.meet();
  if (leads()) {
    co_await order();
    co_await take_turn(queue, base, Stage::sync);
    queue.published = base + lanes * message.units;
    queue.unrung.insert(queue.unrung.end(), warp_->built.begin(), warp_->built.end());
    warp_->built.clear();
    co_await ring_up(queue, &message);
    if (ordered()) co_await thread_.fence(Semantics::acquire_release, Scope::gpu, Stage::sync);
    co_await hand_on(queue, queue.published);
  }
  co_await warp_->lanes.meet();
}

}  // namespace gicsim::paths
