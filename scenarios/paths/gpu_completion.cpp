// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "models/units/text.h"
#include "scenarios/paths/gpu_direct.h"

/// What a GPU thread's poll makes of a completion queue. Source: rdma-core, providers/mlx5/cq.c (opcode, owner, counter)
namespace gicsim::paths {

/// A poller that looks at opcodes sees whether there is a CQE, and errors; one that goes by the counter alone doesn't, and
/// one that waits for success takes an error for not finished. @return whether `wanted` is complete, as it has it
bool GpuDirect::shows(SendQueue& queue, const Content& content, std::uint32_t wanted) {
  const auto* cqe = std::get_if<Cqe>(&content);
  if (!cqe) return false;
  const Poller poller = scenario_.poller;
  if (poller == Poller::opcode && cqe->opcode == CqeOpcode::invalid) return false;
  if (poller == Poller::success && cqe->opcode != CqeOpcode::requester) return false;
  if (queue.queue.cq_entries > 1 && (cqe->opcode == CqeOpcode::invalid || cqe->owner != queue.next_owner())) return false;
  const std::uint32_t seen = widened(cqe->counter(), wanted);
  const bool done = reached(seen, wanted);
  if (!cqe->initial) {
    queue.seen = seen;
    if (poller == Poller::opcode) queue.status = cqe->status;
    return done;
  }
  if (done)
    system_.misread({who() + " took WQE " + std::to_string(wanted) + " of " + queue.who() + " for complete, but no NIC wrote that "
                     "CQE: its counter, " + std::to_string(cqe->counter()) + ", opcode and owner bit are what the completion "
                     "queue's memory held before (cq_initial)",
                     kernel().now()});
  return false;  // the run tells of it; what it led to isn't followed up
}

/// Of a ring: one CQE after the other, then their number where the NIC may read it. Others' CQEs end no stage of this message.
Task GpuDirect::take_cqes(SendQueue& queue, Message& message, const std::string& what) {
  const std::uint32_t wanted = message.index;
  if (queue.cq && reached(queue.seen, wanted)) {  // it was found while another queue pair's was looked for
    thread_.follow(&message.completion);
    co_await thread_.compute(0_cycles, Stage::poll);
    co_return;
  }
  SendQueue* found = &queue;
  const auto there = [&queue, &message, &found, wanted, this](const Content& c) {
    const auto* cqe = std::get_if<Cqe>(&c);
    SendQueue& whose = cqe ? queue.named_by(*cqe) : queue;
    shows(whose, c, &whose == &queue ? wanted : whose.completed);
    const bool any = scenario_.poller == Poller::success ? cqe && cqe->opcode == CqeOpcode::requester
                                                         : cqe && cqe->opcode != CqeOpcode::invalid;
    found = &whose;
    if (queue.cq) thread_.follow(&whose == &queue && reached(queue.seen, wanted) ? &message.completion : nullptr);
    return any && !cqe->initial && cqe->owner == queue.next_owner();
  };
  do {
    const std::string where = what + " in entry " + std::to_string(queue.taken_cqes() % queue.queue.cq_entries) +
                              ", with owner bit " + std::to_string(queue.next_owner());
    co_await thread_.poll(queue.next_cqe(), there, Stage::poll, where);
    ++queue.taken_cqes();
    ++posters_.cqes_taken;
    if (found != &queue && schema::threads_share_cq(scenario_)) co_await tell_pollers(*queue.cq);
  } while (!reached(queue.seen, wanted));
  if (scenario_.mistake == Slip::consumer_index) co_return;
  ++posters_.consumer_updates;
  co_await thread_.store(queue.queue.consumer, 4_B, std::uint64_t{queue.taken_cqes()}, Stage::poll, Stage::poll);
}

/// Of a ring that several threads have: one of them takes CQEs until its own is there, under a lock that nobody waits for in
/// line. The others sleep on a word that it changes with each CQE of theirs, and when it leaves.
Task GpuDirect::take_in_turns(SendQueue& queue, Message& message, const std::string& what) {
  SendQueue& ring = *queue.cq;
  thread_.follow(nullptr);
  while (!reached(queue.seen, message.index)) {
    if (co_await thread_.fetch_add(ring.pollers, 1, Stage::poll) == 0) {
      co_await take_cqes(queue, message, what);
      ring.pollers = 0;
      co_return co_await tell_pollers(ring);
    }
    ++posters_.cq_taken_by_others;
    co_await thread_.poll(
        ring.news_at(),
        [this](const Content& c) {
          const auto* news = std::get_if<std::uint64_t>(&c);
          return news && std::exchange(heard_, *news) != *news;
        },
        Stage::poll, what + ", while another thread polls that ring");
  }
  thread_.follow(&message.completion);
  co_await thread_.load(queue.queue.state, Stage::poll);  // where the finder noted it
}

gpu::Thread::Store GpuDirect::tell_pollers(SendQueue& ring) {
  return thread_.store(ring.news_at(), 8_B, ++ring.news, Stage::poll, Stage::poll);
}

/// Looks at the counter before it posts, adds the upper bits that it had, and keeps the maximum. So a counter that nobody
/// wrote is never taken back, and with more complete than posted the queue looks full.
Task GpuDirect::believe(SendQueue& queue, std::uint32_t units) {
  const auto look = [&queue](const Content& c) {
    const auto* cqe = std::get_if<Cqe>(&c);
    if (cqe) queue.most = std::max(queue.most, ((queue.most & ~std::uint64_t{0xffff}) | cqe->counter()) + 1);
  };
  look(co_await thread_.load(queue.queue.completion, Stage::poll));
  const auto room = [&queue, units] { return queue.reserved + units - queue.most <= queue.queue.depth; };
  if (room()) co_return;
  co_await thread_.poll(
      queue.queue.completion,
      [look, room](const Content& c) {
        look(c);
        return room();
      },
      Stage::call,
      "room in the send queue of " + queue.who() + ", of which " + std::to_string(queue.reserved) +
          " units are posted, but " + std::to_string(queue.most) +
          " complete by its completion queue's counter, which no NIC wrote (cq_initial)");
}

/// A stream has nothing under way that asks for a CQE.
Task GpuDirect::await_room(Bytes, Count) {
  SendQueue& queue = *queues_[current_];
  thread_.follow(nullptr);
  co_await thread_.poll(queue.queue.completion, [](const Content&) { return false; }, Stage::poll,
                        full_queue(queue.who(), queue.queue.depth));
}

}  // namespace gicsim::paths
