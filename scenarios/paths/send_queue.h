// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "models/gpu/warp.h"
#include "scenarios/paths/poller.h"
#include "scenarios/system/system.h"
#include "traces/result/names.h"

namespace gicsim::paths {

/// A doorbell register that a process' threads share: whoever rings waits for those before.
struct Bell {
  Address turn = 0;           ///< word that says whose turn it is
  std::uint64_t tickets = 0;  ///< a word in GPU memory
};

/// A queue pair as its posters see it; one thread's own, or shared by several. Counters are in
/// units of 64 B, as the hardware's indices.
struct SendQueue {
  system::Queue queue;
  Sharing sharing = Sharing::exclusive;
  Address told = 0;             ///< word that tells a CPU thread of new WQEs; zero: posters ring themselves
  std::uint64_t reserved = 0;   ///< handed out; shared: a word in GPU memory
  std::uint64_t tickets = 0;    ///< of the lock; the same
  std::uint64_t newest = 0;     ///< of doorbell: latest_atomic; the same
  Bell* bell = nullptr;         ///< null: a register of its own
  std::uint32_t published = 0;  ///< built and ordered, in order of reservation
  std::uint32_t rung = 0;       ///< announced to the NIC
  std::uint32_t completed = 0;  ///< known to be complete
  std::uint32_t seen = ~0u;     ///< index in the CQE polled last
  CqeStatus status = CqeStatus::ok;  ///< in the CQE polled last
  std::uint32_t taken = 0;           ///< CQEs of a ring
  SendQueue* cq = nullptr;           ///< the queue whose completion ring is this one's, too; null: it has its own
  std::vector<SendQueue*> completing{};  ///< those that complete into its ring; none: itself alone
  std::uint64_t pollers = 0;         ///< of a ring of several threads: a word in GPU memory; zero: nobody polls
  std::uint64_t news = 0;            ///< told to those who would: CQEs of theirs, and that nobody polls
  std::uint64_t most = 0;            ///< complete, as a poller has it that keeps a maximum
  std::function<void()> renew{};     ///< makes new queue pairs at both ends in its place
  std::vector<Message*> unrung{};  ///< published, waiting for a doorbell
  Picoseconds handed_on{};      ///< when the last turn ended

  Address slot(std::uint32_t index) const { return queue.ring + index % queue.depth * Address{64}; }
  /// Of a ring: how many CQEs were taken, where the next one lies, and its owner bit.
  std::uint32_t& taken_cqes() { return cq ? cq->taken : taken; }
  Address next_cqe() { return queue.completion + taken_cqes() % queue.cq_entries * Address{64}; }
  std::uint8_t next_owner() { return static_cast<std::uint8_t>(taken_cqes() / queue.cq_entries % 2); }
  /// Whose CQE that is, which names its queue pair.
  SendQueue& named_by(const Cqe& cqe) {
    for (SendQueue* other : cq ? cq->completing : std::vector<SendQueue*>{})
      if (other->queue.qpn == cqe.qpn) return *other;
    return *this;
  }
  std::string who() const { return name_of(queue); }
  /// The word by which posters hand the queue on: a ticket served, or the index published.
  Address turn() const { return queue.state + 4096; }
  /// The word that tells of news.
  Address news_at() const { return queue.state + 8192; }
  /// It is another queue pair now, and empty.
  void start_over(const system::Queue& fresh) {
    queue = fresh;
    reserved = tickets = 0;
    published = rung = completed = 0;
    seen = ~0u;
    status = CqeStatus::ok;
    taken = 0;
    most = 0;
    unrung.clear();
  }
  void complete(std::uint32_t up_to) {
    if (!reached(completed, up_to)) completed = up_to;
  }
};

/// The lanes of a warp that post together.
struct PostingWarp {
  gpu::Rendezvous lanes;
  std::uint32_t base = 0;         ///< where their common reservation begins
  std::vector<Message*> built{};  ///< by the lanes that don't ring
};

}  // namespace gicsim::paths
