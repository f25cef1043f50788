// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

/// Commands for the firmware of a ConnectX, as DEVX hands them on: big-endian, fields counted in bits from the start.
/// Source: field names and places as in Linux v6.1, include/linux/mlx5/mlx5_ifc.h (cqc, create_cq_in, qpc, ads,
/// create_qp_in, rst2init_qp_in, init2rtr_qp_in, rtr2rts_qp_in); *_umem_offset since Linux v6.12, and in rdma-core's
/// providers/mlx5/mlx5_ifc.h.
namespace gicsim::hw::prm {

using Command = std::vector<std::uint8_t>;

/// A completion queue in memory that DEVX knows: 64 B entries, overrun ignored, so that nobody tells how far it has
/// read.
struct CompletionQueue {
  std::uint32_t umem = 0, uar_page = 0, event_queue = 0;
  unsigned log_entries = 0;
  std::uint64_t ring = 0, record = 0;  ///< offsets in the umem
};
Command create_cq(const CompletionQueue& q);

/// An RC queue pair without a receive queue: nothing is sent to it that would need one.
struct QueuePair {
  std::uint32_t umem = 0, uar_page = 0, pd = 0, cq = 0;
  unsigned log_entries = 0;            ///< of 64 B
  std::uint64_t ring = 0, record = 0;  ///< offsets in the umem
};
Command create_qp(const QueuePair& q);

Command reset_to_init(std::uint32_t qpn, unsigned port);

/// The way to the other end. InfiniBand: lid, and gid where global. RoCE: gid, its place in the own table, MAC.
struct Route {
  bool ethernet = false, global = false;
  std::uint16_t lid = 0;
  std::array<std::uint8_t, 16> gid{};
  std::array<std::uint8_t, 6> mac{};
  unsigned gid_index = 0, port = 1;
};
struct ReadyToReceive {
  std::uint32_t qpn = 0, far_qpn = 0, far_psn = 0;
  unsigned mtu = 0;        ///< enum ibv_mtu
  unsigned log_reads = 0;  ///< answered at a time
  Route route;
};
Command init_to_rtr(const ReadyToReceive& r);

struct ReadyToSend {
  std::uint32_t qpn = 0, psn = 0;
  unsigned log_reads = 0;  ///< under way at a time
};
Command rtr_to_rts(const ReadyToSend& r);

/// Of any answer: 0 is success; else the syndrome says more to those who have the firmware's list.
struct Answer {
  unsigned status = 0;
  std::uint32_t syndrome = 0;
  std::uint32_t number = 0;  ///< of the object made: 24 bits
};
constexpr std::size_t answer_bytes = 16;
Answer answer_of(const std::array<std::uint8_t, answer_bytes>& bytes);

}  // namespace gicsim::hw::prm
