// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "models/nic/congestion.h"
#include "models/nic/cq.h"
#include "models/nic/params.h"
#include "models/nic/qp_stats.h"
#include "models/protocol/packet.h"

namespace gicsim::nic {

/// What the driver tells the NIC when it makes a queue pair. Indices count 64 B units.
struct QueuePairConfig {
  std::uint32_t qpn = 0;
  Address send_queue = 0;     ///< ring of `depth` units
  std::uint32_t depth = 1024; ///< a power of two
  Address completion = 0;     ///< collapsed CQ: one slot
  Address receive_completion = 0;  ///< likewise, of the receives
  PortNumber remote_port = 0;
  std::uint32_t remote_qpn = 0;
  std::uint32_t first_psn = 0;  ///< of both directions, as agreed when they connect
  bool relaxed_data = true;     ///< what arrives is written with relaxed ordering, flags and CQEs apart
  bool relaxed_flags = false;   ///< these, too
  CqConfig cq{};                ///< of its own WQEs' completions, if it isn't collapsed
  Address record = 0;           ///< doorbell record of the send queue
  bool out_of_order = false;    ///< its packets are written as receive engines take them up
  Address receive_queue = 0;    ///< ring of `receive_depth` units of 64 B; 0: receives are only counted
  std::uint32_t receive_depth = 1024;
  std::uint32_t domain = 0;     ///< protection domain
  Service service = Service::rc;
  std::uint32_t key = 0;        ///< UD: Q_Key; DC target: access key
  std::uint8_t service_level = 0;  ///< priority of its packets
  bool reorders = false;        ///< its packets may overtake each other, and are taken as they come
};

/// Source: InfiniBand 1.5, 10.3.1
enum class QueueState : std::uint8_t { reset, init, rtr, rts, sqd, sqe, error };
constexpr std::string_view name_of(QueueState s) {
  constexpr std::string_view names[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
  return names[static_cast<int>(s)];
}

inline constexpr std::uint32_t psn_mask = 0xff'ffff;
/// a is at or behind b on the 24-bit circle.
constexpr bool psn_reached(std::uint32_t a, std::uint32_t b) { return ((b - a) & psn_mask) < 0x80'0000; }
constexpr std::uint32_t psn_plus(std::uint32_t psn, std::int64_t n) {
  return (psn + static_cast<std::uint32_t>(n)) & psn_mask;
}
/// How far `psn` lies beyond `from`.
constexpr std::int64_t psn_distance(std::uint32_t from, std::uint32_t psn) { return (psn - from) & psn_mask; }

class Nic;
struct QueuePair;

/// Payload on its way from this node's memory to the wire, an MTU a time: of a write, or of the
/// response to a READ.
struct Stream {
  QueuePair* queue = nullptr;
  Address address = 0;
  Bytes length{};
  std::int64_t packets = 1;                    ///< of the MTU
  std::int64_t asked = 0, here = 0, sent = 0;  ///< payload asked for; here; packets built
  std::int64_t void_reads = 0;                 ///< reads under way that nobody wants any more
  Bytes pieces{};                              ///< here of a packet's scatter list
  std::uint32_t first_psn = 0;
  bool buffered = false;                       ///< goes through the transmit buffer
  bool ended = false;                          ///< recycled once nothing under way refers to it
  bool repair = false;                         ///< one packet that is sent again by itself
  std::uint32_t last_psn() const { return psn_plus(first_psn, packets - 1); }
};

/// A WQE on its way through the requester; it lives until it is acknowledged.
struct Job : Stream {
  Wqe wqe;
  std::int64_t received = 0;  ///< responses, of a READ or atomic
  std::int64_t high = 0;      ///< most packets that were sent before it was taken back
  bool numbered = false;      ///< has its PSNs: a packet of it was sent
  bool again = false;         ///< it was taken back to be sent again
  Stage lost = Stage::retransmit;  ///< what the time until then counts as
};

/// One packet that is sent again by itself; of a READ or atomic, its request.
struct Repair : Stream {
  Job* job = nullptr;
};

/// A READ or atomic on its way through the responder.
struct Reply : Stream {
  Opcode opcode = Opcode::rdma_read;
  bool executing = false;     ///< on its way to the read engine or to the atomic unit
  bool ready = false;         ///< an atomic's old value is known; a READ may be read
  bool known = false;         ///< an atomic that was executed before: answered from the saved result
  std::uint64_t value = 0, operand = 0, compare = 0;
  std::int64_t building = 0;  ///< packets between packetiser and wire
  bool again = false;         ///< answers a duplicate
  bool resumed = false;       ///< goes on in the middle of a READ
  bool in_unit = false;       ///< an atomic that is being executed
  Picoseconds begun{};        ///< when that began
  Picoseconds sampled{};      ///< when it saw the old value
  std::uint32_t msn = 0;      ///< of its responses
  LedgerRef ledger;
  Message* message = nullptr;  ///< of an atomic; alive while `ledger` is
};

/// A doorbell that has been taken: up to which index, and whose ledger rides on it.
struct Rung {
  std::uint32_t index = 0;
  Picoseconds arrived{}, taken{};
  Ledger* ledger = nullptr;
};

/// When a queue pair's acknowledgement is overdue.
struct AckTimer {
  Nic* nic = nullptr;
  QueuePair* queue = nullptr;
  bool running = false, ticking = false;  ///< ticking: has an event, maybe one of an earlier deadline
  Picoseconds deadline{}, tick_at{};
  void on_tick();
};

/// When what found no receive is sent again.
struct ReadyTimer {
  Nic* nic = nullptr;
  QueuePair* queue = nullptr;
  void on_tick();
  void on_built();
  void on_connected();
};

/// By place on the 24-bit circle, of PSNs that lie less than half of it apart.
struct PsnOrder {
  bool operator()(std::uint32_t a, std::uint32_t b) const { return a != b && psn_reached(a, b); }
};

/// Whose packets are let in, and whose WQEs are executed or flushed.
constexpr bool takes_packets(QueueState s) { return s >= QueueState::rtr; }
constexpr bool takes_wqes(QueueState s) { return s == QueueState::rts || s >= QueueState::sqe; }

/// State of one queue pair, both roles.
struct QueuePair {
  explicit QueuePair(const QueuePairConfig& c)
      : config(c), next_psn(c.first_psn), oldest_psn(c.first_psn), expected_psn(c.first_psn) {}
  QueuePairConfig config;
  Bytes mtu{};                                            ///< of the path: the smaller of both ends
  std::int64_t fetches = 0;                               ///< READs and atomics at once: likewise
  bool failed = false;                                    ///< in error state
  QueueState state = QueueState::reset;
  bool unreadable = false;                                ///< a read of its send queue failed
  // requester
  std::uint32_t producer = 0, fetching = 0, fetched = 0;  ///< rung up to; asked for; here
  std::int64_t in_fetch = 0;                              ///< of the window
  bool queued = false;                                    ///< for the fetch engine
  std::deque<Rung> rings;
  std::optional<Wqe> partial;                             ///< more units to come
  std::uint32_t units_left = 0;
  std::deque<Job*> decoded;                               ///< in order, being read or sent
  std::size_t read_at = 0;                                ///< of these, the first with payload to ask for
  bool reading = false;                                   ///< takes turns at the read engine
  std::deque<Job*> unacknowledged;
  std::uint32_t next_psn;                                 ///< of the next message
  std::uint32_t oldest_psn;                               ///< not acknowledged
  std::int64_t posted = 0, completed = 0;
  // requester: answers, and what is done without them
  std::int64_t fetches_out = 0;                           ///< READs and atomics without their answer
  std::optional<std::uint32_t> implied;                   ///< PSN of a response that was asked for again
  std::int64_t retries = 0;                               ///< since the last progress
  AckTimer timer;
  Count late = 0, uses = 0;                               ///< time-outs since the last progress; adp: of the present one
  std::deque<Repair*> repairs;                            ///< selective repeat: to be sent again
  std::set<std::uint32_t, PsnOrder> missing;              ///< likewise: what the responder said it misses
  std::map<std::uint32_t, Packet, PsnOrder> early_responses;  ///< likewise: beyond one that is missing
  std::optional<std::uint32_t> acknowledged;              ///< likewise: but for a response that is missing
  Picoseconds silent_since{};                             ///< adp: no progress since then
  std::int64_t exponent = -1;                             ///< adp: of the time-out in use; -1: the first is to be drawn
  bool paused = false;                                    ///< waits after a RNR NAK
  bool gone_back = false;                                 ///< for a sequence NAK, and nothing was acknowledged since
  Count unasked = 0;                                      ///< packets since one asked for an ACK
  Count rnr_retries = 0;                                  ///< since the last progress
  ReadyTimer ready;
  std::int64_t responses_in = 0, responses_done = 0;      ///< an ACK doesn't overtake the responses before it
  struct Held {
    Packet ack;
    std::int64_t after;
  };
  std::deque<Held> held;
  // responder
  std::uint32_t expected_psn;
  bool ack_due = false;                                   ///< its turn comes
  bool ack_deferred = false;                              ///< behind responses
  bool ack_owed = false;                                  ///< of `ack_psn`, unless each has its own
  std::uint32_t ack_psn = 0;                              ///< newest that asked for an ACK
  std::uint32_t newest_psn = 0;                           ///< of what was accepted and isn't a READ
  LedgerRef ack_ledger;                                   ///< of the newest message that asked for an ACK
  bool gap = false;                                       ///< NAKed; no other until the missing packet is here
  std::optional<Syndrome> nak_due;
  std::deque<Packet> gaps_due;                            ///< selective repeat: NAKs
  std::deque<Packet> acks_due;                            ///< `ack: every`: each in its turn
  std::deque<Reply*> replies;                             ///< in order of PSN, until on the wire
  bool reply_reading = false;                             ///< takes turns at the read engine
  struct Saved {
    std::uint32_t psn;
    std::uint64_t value;
  };
  std::deque<Saved> saved;                                ///< results of the newest atomics
  std::deque<std::uint32_t> reads;                        ///< first PSNs of the newest READs, if repeated ones are resumed
  std::int64_t receives = 0;                              ///< posted
  std::uint32_t received = 0;                             ///< of these, consumed so far
  std::uint32_t receives_asked = 0;                       ///< receive WQEs read, or being read
  std::deque<ReceiveWqe> ready_receives;                  ///< here, and not consumed
  bool receives_early = false;                            ///< posted before there was a machine
  std::optional<ReceiveWqe> receiving;                    ///< of a SEND under way
  Bytes filled{};                                         ///< so much of it
  bool starved = false;                                   ///< RNR NAKed: what it needs has been posted, or hasn't
  bool awaited = false;                                   ///< posted since: the run goes on until that is sent again
  struct Early {
    Packet packet;
    bool roomed, placed;  ///< has its room in the receive buffer; is in memory already
  };
  std::map<std::uint32_t, Early, PsnOrder> early;         ///< arrived, but can't be taken yet
  std::int64_t turns = 0;                                 ///< `ack: every`: that acks_due have
  std::uint32_t msn = 0;                                  ///< requests completed: what an AETH tells
  std::deque<Packet> datagrams;                           ///< UD: a receive's WQE is being read for them
  Count dropped = 0;                                      ///< packets that its state or its key doesn't let in
  AddressVector target{};                                 ///< DC: whom it is connected to,
  Count connections = 0;                                  ///< for the so-many-th time
  Picoseconds connected_at{};                             ///< DC: when the target has its context
  CompletionQueue cq;                                     ///< its own, into which
  QueuePair* completes_at = this;                         ///< it or others complete: whose it is
  Picoseconds placed{};                                   ///< when all that was accepted is on its way to memory
  // descriptor fetch
  std::int64_t in_decode = 0;                             ///< WQEs
  bool context_asked = false;                             ///< the requester's context is in fetch
  bool translated[2] = {false, false};                    ///< of payload, of a reply: fetched for what is read next
  bool to_scan = false;                                   ///< in line for the next scan (nic.fetch: periodic_scan)
  struct Dropped {
    std::uint32_t index, units;
  };
  std::deque<Dropped> skipped;                            ///< by scans, not reached yet
  // both
  std::unique_ptr<RateLimiter> limiter;                   ///< congestion control; null: none
  std::uint16_t flow = 0;                                 ///< its packets' UDP source port
  QpStats stats;
};

/// The response that a READ or atomic waits for.
inline std::uint32_t missing_psn(const Job& job) { return psn_plus(job.first_psn, job.received); }

/// Units of 64 B of a WQE: control 16 B, an address vector of 48 B unless it is connected, remote address 16 B unless
/// it is a SEND, 16 B more for an atomic's operands, then data segments of 16 B each or an inline header of 4 B with the
/// payload. Source: rdma-core, providers/mlx5/wqe.h
constexpr std::uint32_t wqe_units(bool inlined, Bytes payload, Opcode opcode = Opcode::rdma_write,
                                  Service service = Service::rc, std::int64_t segments = 1) {
  const std::int64_t bytes = 16 + (service == Service::rc ? 0 : 48) + (is_send(opcode) ? 0 : 16) +
                             (is_atomic(opcode) ? 16 : 0) + (inlined ? 4 + payload.count() : 16 * segments);
  return static_cast<std::uint32_t>((bytes + 63) / 64);
}
/// A NOP says itself how many it fills.
constexpr std::uint32_t wqe_units(const Wqe& wqe) {
  return wqe.opcode == Opcode::nop ? wqe.segments
                                   : wqe_units(wqe.inlined, wqe.length, wqe.opcode, wqe.service, wqe.segments);
}

}  // namespace gicsim::nic
