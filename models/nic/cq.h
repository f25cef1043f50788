// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "models/base/describe.h"
#include "models/protocol/content.h"

namespace gicsim::nic {

/// How the driver makes a completion queue. One entry: collapsed, each CQE is written over the one before.
struct CqConfig {
  std::uint32_t entries = 1;   ///< a power of two
  Address consumer = 0;        ///< its doorbell record: how many CQEs its poller has taken
  bool ignore_overrun = false;
  Address events = 0;          ///< entry of the event queue, if it makes events
  Address vector = 0;          ///< where the MSI-X write that follows goes
  std::uint32_t of = 0;        ///< queue pair whose completion queue this is; 0: its own
};

/// A CQE on its way.
struct Completing {
  std::uint32_t qpn;
  bool relaxed;
  bool receive;  ///< of a receive: that queue is collapsed
  Address slot;
  Cqe cqe;
  LedgerRef ledger;
  Stage stage;
};

/// A completion queue as its NIC sees it.
struct CompletionQueue {
  std::uint32_t written = 0, taken = 0;  ///< CQEs; taken: as its record said last
  std::uint32_t newest = 0;              ///< index behind the newest CQE's
  bool asking = false;                   ///< a read of its record is under way
  bool failed = false;                   ///< it ran over
  std::deque<Completing> held{};         ///< behind that read
  bool armed = false;                    ///< its poller wants an event
  Count unreported = 0;                  ///< CQEs since the last one
  Picoseconds first{};                   ///< when the first of these was written
  std::uint64_t events = 0;
};

struct CqStats {
  Count consumer_reads = 0, overruns = 0, lost_cqes = 0, events = 0, nops = 0, record_reads = 0, gathered = 0, segments = 0;
  Count barriers = 0;
  bool any() const {
    return consumer_reads + overruns + lost_cqes + events + nops + record_reads + gathered + segments + barriers > 0;
  }
};
template <class V>
constexpr void describe(V&& v, CqStats& s) {
  v("consumer_reads", s.consumer_reads, "reads of a completion queue's consumer index, for lack of a free entry");
  v("overruns", s.overruns, "completion queues that ran over");
  v("lost_cqes", s.lost_cqes, "CQEs of queues that had run over: nobody gets them");
  v("events", s.events, "entries written to event queues");
  v("nops", s.nops, "NOPs fetched: they fill up send queues");
  v("record_reads", s.record_reads, "reads of doorbell records");
  v("gathered", s.gathered, "reads of pieces of a scatter list, all but the last of a packet");
  v("segments", s.segments, "writes of pieces of a scatter list, likewise");
  v("barriers", s.barriers, "barrier packets that all others had sent, counted and answered");
}
static_assert(fully_described<CqStats>());

/// What a NIC tells its driver of by an asynchronous event. Source: rdma-core, libibverbs/verbs.h (ibv_event_type)
enum class AsyncKind : std::uint8_t { cq_error, qp_fatal, port_error, port_active };
constexpr std::string_view name_of(AsyncKind k) {
  constexpr std::string_view names[] = {"CQ_ERR", "QP_FATAL", "PORT_ERR", "PORT_ACTIVE"};
  return names[static_cast<int>(k)];
}
struct AsyncEvent {
  AsyncKind kind = AsyncKind::cq_error;
  std::string what;  ///< "node0.nic0.qp1: its completion queue of 16 entries ran over"
  Picoseconds at{};
};

/// A doorbell that named no queue, or a write that hit no doorbell register.
struct Unclaimed {
  Address address = 0;
  bool names = false;       ///< a doorbell register was hit; then
  std::uint64_t value = 0;  ///< what it was told
  Picoseconds at{};
};

}  // namespace gicsim::nic
