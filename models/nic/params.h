// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/base/describe.h"

namespace gicsim::nic {

/// Who executes an atomic on this node's memory: the NIC, by a read and a write, or the memory, by a PCIe AtomicOp.
enum class AtomicUnit { nic, pcie };
constexpr auto names_of(AtomicUnit) { return std::array<std::string_view, 2>{"nic", "pcie"}; }

/// What makes the NIC fetch WQEs. `periodic_scan` is a claim (descriptor_scan_100ns): it looks at the rings by itself, and
/// what it can't take is dropped in silence.
enum class FetchMode { doorbell, periodic_scan };
constexpr auto names_of(FetchMode) { return std::array<std::string_view, 2>{"doorbell", "periodic_scan"}; }

/// An RDMA NIC that is driven by doorbells (mlx5 class): one port, RC transport.
struct NicParams {
  Picoseconds doorbell = 150ns;
  Picoseconds doorbell_gap = 2ns;
  Count qp_window;
  Count nic_window;
  Count fetch_batch = 16;
  Picoseconds decode = 100ns;
  Picoseconds decode_gap = 2ns;
  Picoseconds tx = 300ns;
  Picoseconds tx_gap = 2ns;
  Picoseconds rx = 300ns;
  Picoseconds rx_gap = 2ns;
  Bytes transmit_buffer = 128_KiB;
  Bytes turn = 32_KiB;
  Bytes mtu = 4_KiB;
  Bytes inline_max = 220_B;
  Picoseconds ack_turn = 150ns;
  Picoseconds ack_gap = 2ns;
  Picoseconds ack_handle;
  Picoseconds cqe_build = 170ns;
  Count fetches_outstanding = 16;
  Picoseconds execute = 100ns;
  Picoseconds atomic = 50ns;
  AtomicUnit atomics = AtomicUnit::nic;
  Count ack_timeout = 14;
  Count retries = 7;
  Picoseconds rnr_timer = 640us;
  Bytes receive_buffer = 512_KiB;
  Bytes xoff = 256_KiB;
  Bytes xon = 192_KiB;
  bool lossless = true;
  FetchMode fetch = FetchMode::doorbell;
  bool barrier_packet = false;
};

/// Until an acknowledgement is overdue; never: the exponent is 0.
constexpr Picoseconds time_out(const NicParams& p) {
  return p.ack_timeout == 0 ? Picoseconds::max() : 4096ns * (std::int64_t{1} << p.ack_timeout);
}

template <class V>
constexpr void describe(V&& v, NicParams& p) {
  v("doorbell", p.doorbell, "from a doorbell at the BAR to the descriptor-fetch engine", assumed("A-010"),
    within(0ns, 10us));
  v("doorbell_gap", p.doorbell_gap, "between doorbells taken", assumed("A-011"), within(0ns, 10us));
  v("qp_window", p.qp_window, "64 B units of one queue pair in fetch", by_part, within(1, 4096));
  v("nic_window", p.nic_window, "64 B units of all queue pairs in fetch", by_part, within(1, 65'536));
  v("fetch_batch", p.fetch_batch, "WQEs that one DMA read may fetch", assumed("A-012"), within(1, 64));
  v("decode", p.decode, "WQE decode, context and translation, all cached", assumed("A-010"),
    within(0ns, 10us));
  v("decode_gap", p.decode_gap, "between WQEs decoded", assumed("A-011"), within(0ns, 10us));
  v("tx", p.tx, "transmit pipeline: packet build to the wire's serialiser", assumed("A-010"),
    within(0ns, 10us));
  v("tx_gap", p.tx_gap, "between packets built", assumed("A-011"), within(0ns, 10us));
  v("rx", p.rx, "receive pipeline: last bit to the DMA write", assumed("A-010"), within(0ns, 10us));
  v("rx_gap", p.rx_gap, "between packets received", assumed("A-011"), within(0ns, 10us));
  v("transmit_buffer", p.transmit_buffer,
    "payload that may be asked for and not yet on the wire; a read reserves its room", assumed("A-013"),
    within(64_B, 16_MiB));
  v("turn", p.turn, "payload that a queue pair may ask for before the next one has its turn", assumed("A-056"),
    within(64_B, 16_MiB));
  v("mtu", p.mtu, "path MTU: payload bytes of a packet", spec("InfiniBand 1.5, 9.7: 256 B to 4 KiB"),
    powers_of_two(256_B, 4_KiB));
  v("inline_max", p.inline_max, "largest inline payload", assumed("A-014"), within(0_B, 1_KiB));
  v("ack_turn", p.ack_turn, "responder: from a packet received to its ACK at the serialiser",
    assumed("A-015"), within(0ns, 10us));
  v("ack_gap", p.ack_gap, "between ACKs sent; what a queue pair owes by its turn goes in one", assumed("A-016"),
    within(0ns, 10us));
  v("ack_handle", p.ack_handle, "requester: from an ACK's last bit to the completions it frees", by_part,
    within(0ns, 10us));
  v("cqe_build", p.cqe_build, "from a completion to its CQE at the DMA engine", assumed("A-015"),
    within(0ns, 10us));
  v("fetches_outstanding", p.fetches_outstanding,
    "READs and atomics of a queue pair without their answer (max_rd_atomic)", assumed("A-050"), within(1, 128));
  v("execute", p.execute, "responder: from a READ or atomic received to its read of memory", assumed("A-051"),
    within(0ns, 10us));
  v("atomic", p.atomic, "atomic unit: from the old value to the new one at the DMA engine", assumed("A-052"),
    within(0ns, 10us));
  v("atomics", p.atomics,
    "who executes atomics: the NIC, or the memory by a PCIe AtomicOp, which its port must complete (atomic_completer)",
    assumed("A-163"));
  v("ack_timeout", p.ack_timeout, "exponent n of the Local ACK Timeout, 4.096 us x 2^n; 0: never", assumed("A-053"),
    within(0, 31));
  v("retries", p.retries,
    "times that a packet is sent again for lack of an answer before its queue pair fails",
    spec("InfiniBand 1.5, 9.7.5.1.5: 3 bits"), within(0, 7));
  v("rnr_timer", p.rnr_timer,
    "responder: wait that its RNR NAKs ask for; the next longer one of the specification's 32", assumed("A-054"),
    within(0ns, 655'360us));
  v("receive_buffer", p.receive_buffer, "payload received and not yet at its memory; what finds no room is dropped",
    assumed("A-194"), within(4_KiB, 1_GiB));
  v("xoff", p.xoff, "payload in the receive buffer from which on the port that feeds it is paused", assumed("A-195"),
    within(0_B, 1_GiB));
  v("xon", p.xon, "payload in the receive buffer at which it may go on", assumed("A-195"), within(0_B, 1_GiB));
  v("lossless", p.lossless,
    "a receive buffer that fills pauses its sender (InfiniBand's credits, PFC); false: it overruns (RoCE without)",
    assumed("A-196"));
  v("fetch", p.fetch, "what makes it fetch WQEs: doorbells, or (a claim) scans of the rings that drop what they can't take",
    spec("rdma-core, providers/mlx5/qp.c: a doorbell a post"));
  v("barrier_packet", p.barrier_packet, "as a write-up has it: a barrier is one packet, counted and answered by the first node's NIC",
    Source{Provenance::claimed, "barrier_packet of claims.yaml"});
}
static_assert(fully_described<NicParams>());

}  // namespace gicsim::nic
