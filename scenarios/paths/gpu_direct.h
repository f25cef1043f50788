// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "scenarios/paths/gpu_end.h"
#include "scenarios/paths/send_queue.h"

namespace gicsim::paths {

/// The GPU submits: the thread builds the WQE, orders it, updates the doorbell record, rings, and
/// polls the completion queue itself. A queue may have a CPU thread ring instead (SendQueue::told).
class GpuDirect final : public GpuEnd {
 public:
  /// @param queues  that the thread posts to in turns, a batch each; others may post there, too
  /// @param warp  of `sharing: warp`, with the thread's lane in it; else null
  GpuDirect(system::System& system, const schema::Scenario& scenario, std::size_t node, std::size_t pair,
            std::size_t number, std::vector<SendQueue*> queues, PostingWarp* warp = nullptr);

  Task post(Operation operation, Message& message, bool ring) override;
  Task wait(Message& message) override;
  Task quiet(Message& message) override;
  Task arrival(Operation operation) override;
  Address told_at(const Operation& operation) const override;
  bool retire(const Message& message) override;
  bool failed(const Message& message) const override;
  Task recover(Message& message) override;
  /// A store of 8 B to a device's register.
  Task poke(Address address, std::uint64_t value, Message& message);
  Task acquire(Message& message) override;
  bool has_room(Bytes bytes, Count n) const override;
  Task await_room(Bytes bytes, Count n) override;
  void stood(Picoseconds time) override { posters_.stood(time); }
  std::string queue_pair(const Message& message) const override { return queues_[message.queue]->who(); }

 private:
  bool inlined(Bytes bytes) const;
  Task build(Request& request, Message& message, SendQueue& queue, bool signaled);
  Task post_apart(Request& request, Message& message);
  Task complete(SendQueue& queue, Message& message);
  Task complete_data();
  /// Puts a NOP before a WQE that wouldn't fit between here and the ring's end.
  Task pad(SendQueue& queue, std::uint32_t units);
  Task ring(SendQueue& queue, std::uint32_t producer, const Wqe* only);
  Task record(SendQueue& queue, std::uint32_t producer);
  // gpu_completion.cpp: what a poll makes of completion queues
  bool shows(SendQueue& queue, const Content& content, std::uint32_t wanted);
  Task take_cqes(SendQueue& queue, Message& message, const std::string& what);
  Task take_in_turns(SendQueue& queue, Message& message, const std::string& what);
  gpu::Thread::Store tell_pollers(SendQueue& ring);
  Task believe(SendQueue& queue, std::uint32_t units);
  gpu::Thread::Until order();
  bool ordered() const { return scenario_.ordering != Ordering::none; }
  std::size_t lane() const { return number_ % static_cast<std::size_t>(scenario_.batch); }
  bool leads() const { return lane() + 1 == static_cast<std::size_t>(scenario_.batch); }

  Task post_newest(SendQueue& queue, Message& message, std::uint64_t next);
  Task take_bell(Bell& bell, std::uint64_t ticket);
  Task ring_up(SendQueue& queue, Message* riding, const Wqe* only = nullptr);
  Task take_turn(SendQueue& queue, std::uint64_t turn, Stage stage);
  gpu::Thread::Store hand_on(SendQueue& queue, std::uint64_t turn);
  Task await_room(SendQueue& queue, std::uint32_t up_to);
  Task post_locked(Request& request, Message& message, bool ring, SendQueue& queue);
  Task post_in_order(Request& request, Message& message, bool ring, SendQueue& queue);
  Task post_as_warp(Request& request, Message& message, SendQueue& queue);

  const LibraryParams& library_;
  std::size_t number_;
  system::PosterStats& posters_;
  std::vector<SendQueue*> queues_;
  PostingWarp* warp_;
  std::uint32_t current_ = 0;  ///< of the queues
  Count visited_ = 0;          ///< writes to it in a row
  Picoseconds came_{};         ///< for its turn
  std::uint64_t heard_ = 0;    ///< of a completion ring that others poll, too: the last news
  std::vector<Receives> receives_;  ///< of its queues, if messages need them
  std::uint32_t data_at_ = 0;  ///< of `signal_queue: other`: the data's index in their queue
};

}  // namespace gicsim::paths
