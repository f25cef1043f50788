// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/describe.h"
#include "models/base/kernel.h"
#include "models/mechanisms/credits.h"
#include "models/mechanisms/crossing.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/server.h"
#include "models/nic/params.h"
#include "models/nic/queue_pair.h"
#include "models/protocol/packet.h"
#include "models/protocol/transfer.h"

namespace gicsim::nic {

struct NicStats {
  Count doorbells = 0, unclaimed = 0, pushed = 0, fetches = 0, wqes = 0, stale = 0;
  Count payload_reads = 0, packets_sent = 0, packets_received = 0, acks_sent = 0, cqes = 0;
  Bytes payload_sent, payload_received;
  Count window_peak = 0;
  Picoseconds window_time{}, window_wait{}, transmit_time{}, decode_busy{}, tx_busy{}, rx_busy{}, ack_busy{};
};
template <class V>
constexpr void describe(V&& v, NicStats& s) {
  v("doorbells", s.doorbells, "doorbells decoded");
  v("unclaimed", s.unclaimed, "BAR writes that no queue pair claims");
  v("pushed", s.pushed, "WQEs that came with their doorbell (BlueFlame)");
  v("fetches", s.fetches, "DMA reads of WQEs");
  v("wqes", s.wqes, "WQEs executed");
  v("stale", s.stale, "WQEs that were fetched before they were visible");
  v("payload_reads", s.payload_reads, "DMA reads of payload");
  v("packets_sent", s.packets_sent, "data packets sent");
  v("packets_received", s.packets_received, "data packets received");
  v("acks_sent", s.acks_sent, "acknowledgements sent");
  v("cqes", s.cqes, "CQEs written");
  v("payload_sent", s.payload_sent, "payload bytes sent");
  v("payload_received", s.payload_received, "payload bytes received");
  v("window_peak", s.window_peak, "most WQEs in fetch at once");
  v("window_time", s.window_time, "time in fetch, summed over 64 B units");
  v("window_wait", s.window_wait, "time that a rung queue pair waited for a fetch window");
  v("transmit_time", s.transmit_time, "payload in the transmit buffer, as time that it was full");
  v("decode_busy", s.decode_busy, "time the WQE decoder was busy");
  v("tx_busy", s.tx_busy, "time the packetiser was busy");
  v("rx_busy", s.rx_busy, "time the receive pipeline was busy");
  v("ack_busy", s.ack_busy, "time the ACK generator was busy");
}
static_assert(fully_described<NicStats>());

/// A WQE that was read before its content was visible: what the ordering checker reports.
struct StaleFetch {
  std::string nic;
  std::uint32_t qpn = 0, index = 0;
  Picoseconds read{}, visible{};  ///< visible: 0 when it was never written
};

/// An RDMA NIC that is driven by doorbells (mlx5 class): doorbell decode, descriptor fetch under
/// windows, inline or read payload, packetiser, RC requester and responder, completions.
/// Not modelled: loss and retransmission, context and translation caches (all hits), receive
/// buffer overrun, more than one port.
class Nic final : public sc_core::sc_module, private Target, private PacketSink, private Initiator {
 public:
  sc_core::sc_port<MemoryPort> port{"port"};
  sc_core::sc_export<Target> target{"target"};
  sc_core::sc_port<PacketPort> wire_out{"wire_out"};
  sc_core::sc_export<PacketSink> wire_in{"wire_in"};

  Nic(sc_core::sc_module_name name, Kernel& kernel, const NicParams& params, PortNumber number,
      PacketOverhead overhead, Address bar);

  /// The doorbell register of any of this NIC's queues; the value names the queue.
  Address doorbell_address() const { return bar_ + 0x800; }
  PortNumber number() const { return number_; }
  const NicParams& params() const { return params_; }
  /// @return its number, from 1
  std::uint32_t make_queue_pair(QueuePairConfig config);
  /// Where its send queue and completion queue lie.
  void place(std::uint32_t qpn, Address send_queue, Address completion);
  /// Second half of a connection.
  void connect(std::uint32_t qpn, PortNumber remote_port, std::uint32_t remote_qpn);

  /// Turns sources of spread on.
  void vary(const Spread& spread);
  const NicStats& stats() const { return stats_; }
  const std::vector<StaleFetch>& stale_fetches() const { return stale_; }
  /// What a stuck run waits for here: queue pairs with work that doesn't move.
  void unfinished(std::vector<std::string>& lines) const;
  void check_books() const;

 private:
  // doorbell.cpp: BAR writes and the descriptor-fetch engine
  void on_write(Transfer& transfer, Picoseconds now) override;
  Picoseconds on_read(const Transfer& transfer, Bytes length, Picoseconds now) override;
  void sample(Transfer&, Picoseconds) override {}
  void on_doorbell();
  void want_fetch(QueuePair& qp);
  void pump_fetch();
  void fetch(QueuePair& qp, std::uint32_t units);
  void on_fetched(Transfer& transfer);
  void take_unit(QueuePair& qp, const Content& unit, std::size_t line, const Transfer& transfer);
  void decode(QueuePair& qp, const Wqe& wqe);
  // requester.cpp: payload, packets, completions
  void on_decoded();
  void pump_payload();
  void await_room(Bytes reserved);
  Picoseconds buffer_share(Bytes length, Picoseconds t) const;
  void on_room();
  void on_payload(Transfer& transfer);
  void pump_packets(QueuePair& qp);
  void on_built();
  void on_ack(const Packet& ack);
  void on_cqe();
  // responder.cpp
  void arrive(const Packet& packet) override;
  void on_received();
  void on_ack_handled();
  void on_ack_turn();

  void on_transferred(Transfer& transfer) override;
  void end_of_elaboration() override;
  QueuePair& qp(std::uint32_t qpn) { return *queue_pairs_[qpn - 1]; }
  Job& new_job(const Wqe& wqe);

  struct Doorbell {
    Content value;
    Picoseconds arrived;
    Ledger* ledger;
  };
  struct Decoding {
    QueuePair* qp;
    Job* job;
  };
  struct Built {
    QueuePair* qp;
    Packet packet;
  };
  struct Completing {
    QueuePair* qp;
    Job* job;
  };

  Kernel& kernel_;
  const NicParams& params_;
  PortNumber number_;
  PacketOverhead overhead_;
  Address bar_;
  MemoryPort* port_ = nullptr;
  PacketPort* wire_ = nullptr;
  std::vector<std::unique_ptr<QueuePair>> queue_pairs_;
  std::deque<Job> jobs_;
  std::vector<Job*> free_jobs_;

  Server doorbell_, decoder_, builder_, receiver_, acker_;
  Credits window_, transmit_buffer_;
  Picoseconds room_at_{-1};  ///< when a waiting read tries again; -1: none does
  Crossing from_bus_, from_wire_;
  DelayLine<Doorbell> doorbells_{name()};
  std::deque<QueuePair*> to_fetch_;
  DelayLine<Decoding> decoding_{name()};
  std::deque<Decoding> to_read_;
  DelayLine<Built> built_{name()};
  DelayLine<Packet> received_{name()}, acks_{name()};
  DelayLine<QueuePair*> ack_turns_{name()};
  DelayLine<Completing> completing_{name()};
  std::vector<StaleFetch> stale_;
  NicStats stats_;
};

}  // namespace gicsim::nic
