// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "models/nic/params.h"
#include "models/protocol/packet.h"

namespace gicsim::nic {

/// What the driver tells the NIC when it makes a queue pair. Indices count 64 B units.
struct QueuePairConfig {
  std::uint32_t qpn = 0;
  Address send_queue = 0;     ///< ring of `depth` units
  std::uint32_t depth = 1024; ///< a power of two
  Address completion = 0;     ///< collapsed CQ: one slot
  PortNumber remote_port = 0;
  std::uint32_t remote_qpn = 0;
  std::uint32_t first_psn = 0;  ///< of both directions, as agreed when they connect
};

/// A WQE on its way through the requester; it lives until it is acknowledged.
struct Job {
  Wqe wqe;
  std::int64_t packets = 1;  ///< of the MTU
  std::int64_t asked = 0, here = 0, sent = 0;  ///< payload asked for; here; packets built
  std::uint32_t last_psn = 0;
};

/// A doorbell that has been taken: up to which index, and whose ledger rides on it.
struct Rung {
  std::uint32_t index = 0;
  Picoseconds arrived{}, taken{};
  Ledger* ledger = nullptr;
};

/// State of one RC queue pair, both roles.
struct QueuePair {
  explicit QueuePair(const QueuePairConfig& c) : config(c), next_psn(c.first_psn), expected_psn(c.first_psn) {}
  QueuePairConfig config;
  // requester
  std::uint32_t producer = 0, fetching = 0, fetched = 0;  ///< rung up to; asked for; here
  std::int64_t in_fetch = 0;                              ///< of the window
  bool queued = false;                                    ///< for the fetch engine
  std::deque<Rung> rings;
  std::optional<Wqe> partial;                             ///< more units to come
  std::uint32_t units_left = 0;
  std::deque<Job*> decoded;                               ///< in order, being read or sent
  std::deque<Job*> unacknowledged;
  std::uint32_t next_psn;
  std::int64_t posted = 0, completed = 0;
  // responder
  std::uint32_t expected_psn;
  bool ack_due = false;
  Ledger* ack_ledger = nullptr;  ///< of the newest message that asked for an ACK
};

inline constexpr std::uint32_t psn_mask = 0xff'ffff;
/// a is at or behind b on the 24-bit circle.
constexpr bool psn_reached(std::uint32_t a, std::uint32_t b) { return ((b - a) & psn_mask) < 0x80'0000; }

/// Units of 64 B of a WQE: control 16 B and remote address 16 B, then the data segment of 16 B or
/// an inline header of 4 B with the payload.
/// Source: rdma-core, providers/mlx5/wqe.h
constexpr std::uint32_t wqe_units(bool inlined, Bytes payload) {
  const std::int64_t bytes = 32 + (inlined ? 4 + payload.count() : 16);
  return static_cast<std::uint32_t>((bytes + 63) / 64);
}

}  // namespace gicsim::nic
