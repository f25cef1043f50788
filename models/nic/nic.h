// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/kernel.h"
#include "models/mechanisms/credits.h"
#include "models/mechanisms/crossing.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/server.h"
#include "models/nic/barrier_packet.h"
#include "models/nic/params.h"
#include "models/nic/queue_pair.h"
#include "models/nic/queue_params.h"
#include "models/nic/stats.h"
#include "models/protocol/packet.h"
#include "models/protocol/transfer.h"

namespace gicsim::nic {

/// A WQE that was read before its content was visible: what the ordering checker reports.
struct StaleFetch {
  std::string nic;
  std::uint32_t qpn = 0, index = 0;
  Picoseconds read{}, visible{};  ///< visible: 0 when it was never written
  std::uint32_t slot = 0;
  std::optional<std::uint32_t> other{};  ///< the WQE that had been written over it
  Picoseconds since{};                   ///< and when that was visible
};

/// A queue pair that gave up: its WQE `index` got the error CQE, all others were flushed; or, as responder, it couldn't
/// do what the request of that PSN asks for.
struct Failure {
  std::string nic;
  std::uint32_t qpn = 0, index = 0, psn = 0;
  Count retries = 0;
  CqeStatus status = CqeStatus::retry_exceeded;
  Picoseconds at{};
  bool responder = false;
  std::string cause{};  ///< of what isn't the network's fault
};

/// An RDMA NIC that is driven by doorbells (mlx5 class): doorbell decode, descriptor fetch under
/// windows, inline or read payload, packetiser, RC requester and responder with go-back-N, one
/// atomic unit, completions.
/// Not modelled: selective repeat, congestion control, context and translation caches (all hits),
/// receive WQEs (a receive is a count), more than one port.
/// Source: InfiniBand 1.5, 9.4 (operations), 9.7 (reliable service)
class Nic final : public sc_core::sc_module, private Target, private PacketSink, private PacketSource, private Initiator {
 public:
  sc_core::sc_port<MemoryPort> port{"port"};
  sc_core::sc_export<Target> target{"target"};
  sc_core::sc_port<PacketPort> wire_out{"wire_out"};
  sc_core::sc_export<PacketSink> wire_in{"wire_in"};

  Nic(sc_core::sc_module_name name, Kernel& kernel, const NicParams& params, PortNumber number,
      PacketOverhead overhead, Address bar);

  /// The doorbell register of any of this NIC's queues; the value names the queue.
  Address doorbell_address() const { return bar_ + 0x800; }
  /// Where a poller of a CQ that makes events asks for the next one: queue and how far it has come.
  Address arm_address() const { return bar_ + 0x820; }
  PortNumber number() const { return number_; }
  const NicParams& params() const { return params_; }
  /// @return its number, from 1
  std::uint32_t make_queue_pair(QueuePairConfig config);
  /// Where its send queue and completion queues lie.
  void place(std::uint32_t qpn, Address send_queue, Address completion, Address receive_completion = 0);
  /// Which completion queue its WQEs have, and where its doorbell record is.
  void place(std::uint32_t qpn, const CqConfig& cq, Address record);
  /// What it does about its queues' memory, and of their events.
  void set(const QueueParams& params) { queue_params_ = &params; }
  BarrierUnit& barrier() { return barrier_; }
  /// Second half of a connection; `remote`: the far NIC's parameters, this NIC's own if left out.
  void connect(std::uint32_t qpn, PortNumber remote_port, std::uint32_t remote_qpn, const NicParams* remote = nullptr);
  /// Receives for writes with immediate. They cost nothing: what posts them isn't modelled.
  void post_receives(std::uint32_t qpn, Count n) { qp(qpn).receives += n; }

  /// The port that its wire comes from: what a full receive buffer pauses.
  void fed_by(PacketPort& port) { upstream_ = &port; }

  /// Turns sources of spread on.
  void vary(const Spread& spread);
  const NicStats& stats() const { return stats_; }
  const CqStats& cq_stats() const { return cq_stats_; }
  const std::string& cq_name() const { return cq_name_; }
  /// In order: what its driver was told, doorbells that named no queue, how far a queue was rung.
  const std::vector<AsyncEvent>& async_events() const { return async_; }
  const std::vector<Unclaimed>& unclaimed() const { return unclaimed_; }
  std::uint32_t rung(std::uint32_t qpn) const { return queue_pairs_[qpn - 1]->producer; }
  /// Its cable was pulled, or is there again; the driver is told.
  void set_port(bool up);
  const std::vector<StaleFetch>& stale_fetches() const { return stale_; }
  const std::vector<Failure>& failures() const { return failures_; }
  /// A reset, or an error that its function doesn't survive: every queue pair ends, packets for them are lost.
  void lose_all(const std::string& cause);
  /// CQEs by which a driver ends the queue pairs that a reset took, with their addresses: of all that their rings hold.
  std::vector<std::pair<Address, Cqe>> flushed_by_driver() const;
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
  // payload.cpp: memory to transmit buffer
  void want_payload(QueuePair& queue, bool reply);
  Stream* next_stream(QueuePair& queue, bool reply) const;
  void pump_payload();
  void read_payload(Stream& stream, Bytes length, bool reply);
  void await_room(Bytes reserved);
  Picoseconds buffer_share(Bytes length, Picoseconds t) const;
  void leave_buffer(Bytes length, Picoseconds at);
  void drop_payload(Stream& stream);
  void on_room();
  void on_payload(Transfer& transfer);
  // scatter.cpp: payload in several pieces
  Bytes gather(const Job& job, Bytes from, Bytes length);
  void take_piece(Stream& stream, const Transfer& read);
  Bytes scatter(QueuePair& queue, const Packet& packet, const Wqe& wqe, Bytes from, Bytes length);
  Picoseconds drop_at_port(const Packet& packet);
  // dma_errors.cpp: what the NIC's own memory accesses do to queue pairs when they fail
  void fail_fetch(QueuePair& queue, const Transfer& read);
  void fail_payload(Job& job, const Transfer& read);
  void fail_write(QueuePair& queue, const Transfer& write);
  void fail_reply(Reply& reply, const Transfer& access);
  void refuse_request(QueuePair& queue, std::uint32_t psn, std::string cause);
  void break_off(Reply& reply);
  // requester.cpp: packets, answers
  void on_decoded();
  void pump_packets(QueuePair& queue);
  Packet next_packet(QueuePair& queue, Job& job);
  void build(QueuePair& queue, Packet& packet, bool buffered, Reply* reply);
  void on_built();
  void on_ack_handled();
  void handle(QueuePair& queue, const Packet& ack);
  void on_response(const Packet& packet);
  void take_response(QueuePair& queue, Job& job, const Packet& packet);
  // completion.cpp
  void complete(QueuePair& queue, Job& job, CqeStatus status);
  void post_cqe(const QueuePair& queue, Address slot, const Cqe& cqe, LedgerRef ledger, Stage stage);
  void on_cqe();
  void write_cqe(const Completing& done);
  void ask_consumer(QueuePair& queue);
  void on_consumer(Transfer& record);
  void run_over(QueuePair& queue);
  // events.cpp: event queues, asynchronous events
  void on_arm();
  void tell(QueuePair& queue);
  void on_period();
  void make_event(QueuePair& queue);
  void on_event();
  void raise(AsyncKind kind, std::string what);
  // record.cpp: doorbells whose record is read
  void read_record(QueuePair& queue, Picoseconds arrived, Ledger* ledger);
  void on_record(Transfer& record);
  // reliability.cpp: what is acknowledged, what is sent again
  friend struct AckTimer;
  static Job* oldest(QueuePair& queue);
  void pop_oldest(QueuePair& queue);
  void acknowledge(QueuePair& queue, std::uint32_t psn);
  void progress(QueuePair& queue);
  void go_on(QueuePair& queue);
  void start_timer(QueuePair& queue);
  void stop_timer(QueuePair& queue);
  void on_deadline(QueuePair& queue);
  void retry(QueuePair& queue, std::uint32_t psn);
  void rewind(QueuePair& queue, std::uint32_t psn, Stage lost);
  void take_back(Job& job, std::int64_t sent, Stage lost);
  void on_receiver_ready();
  void fail(QueuePair& queue, std::uint32_t psn, CqeStatus status);
  // receive.cpp: receive buffer, writes into memory
  bool take_room(const Packet& packet);
  void leave_room(Bytes length);
  Transfer& inbound(QueuePair& queue, const Packet& packet, Stage stage, Address address, Bytes length);
  void place(QueuePair& queue, Transfer& write);
  void on_place();
  void on_placed(Transfer& write);
  void on_sent(const Packet& packet, Picoseconds left) override;
  void flush(QueuePair& queue, const Job* culprit = nullptr, CqeStatus status = CqeStatus::flushed);
  // responder.cpp: requests in order, acknowledgements
  void arrive(const Packet& packet) override;
  void on_received();
  void take(const Packet& packet);
  void accept_write(QueuePair& queue, const Packet& packet);
  void out_of_order(QueuePair& queue, const Packet& packet);
  void refuse(QueuePair& queue, Syndrome why);
  void owe_ack(QueuePair& queue, const Packet& packet);
  void take_turn(QueuePair& queue);
  void on_ack_turn();
  // replies.cpp: READs and atomics at the responder
  void accept_fetch(QueuePair& queue, const Packet& packet);
  void repeat_fetch(QueuePair& queue, const Packet& packet);
  Reply& new_reply(QueuePair& queue, const Packet& packet);
  void cut_replies(QueuePair& queue, std::uint32_t psn);
  void execute(Reply& reply);
  void on_execute();
  void pump_atomics();
  static LedgerRef fork_delivery(const Reply& reply);
  void on_old_value(Transfer& transfer);
  void on_atomic();
  void pump_replies(QueuePair& queue);
  void build_response(QueuePair& queue, Reply& reply);
  void retire(Reply& reply);
  void recycle(Reply& reply);

  void on_transferred(Transfer& transfer) override;
  void end_of_elaboration() override;
  QueuePair& qp(std::uint32_t qpn) { return *queue_pairs_[qpn - 1]; }
  Job& new_job(QueuePair& queue, const Wqe& wqe);
  void recycle(Job& job);

  struct Doorbell {
    Content value;
    Picoseconds arrived;
    Ledger* ledger;
    Address address;
  };
  struct Decoding {
    QueuePair* qp;
    Job* job;
  };
  struct Built {
    QueuePair* queue;
    Packet packet;
    bool buffered;
    Reply* reply;
  };
  struct Reader {
    QueuePair* queue;
    bool reply;
    Bytes left;  ///< of its turn
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
  std::deque<Reply> replies_;
  std::vector<Reply*> free_replies_;

  Server doorbell_, decoder_, builder_, receiver_, acker_;
  Credits window_, transmit_buffer_;
  Picoseconds room_at_{-1};  ///< when a waiting read tries again; -1: none does
  Crossing from_bus_, from_wire_;
  DelayLine<Doorbell> doorbells_{name()};
  std::deque<QueuePair*> to_fetch_;
  DelayLine<Decoding> decoding_{name()};
  std::deque<Reader> to_read_;  ///< queue pairs take turns, each in both roles
  DelayLine<Built> built_{name()};
  DelayLine<Packet> received_{name()};
  DelayLine<QueuePair::Held> acks_{name()};
  DelayLine<QueuePair*> ack_turns_{name()}, pausing_{name()};
  DelayLine<Reply*> executing_{name()};
  std::deque<Reply*> atomics_;  ///< wait for the atomic unit
  Reply* atomic_ = nullptr;     ///< in it
  Picoseconds atomic_begun_{};
  DelayLine<Completing> completing_{name()};
  const QueueParams* queue_params_;
  DelayLine<std::uint64_t> arming_{name()};
  DelayLine<QueuePair*> moderating_{name()}, eventing_{name()};
  std::vector<AsyncEvent> async_;
  std::vector<Unclaimed> unclaimed_;
  bool port_down_ = false;
  BarrierUnit barrier_;
  CqStats cq_stats_;
  std::string cq_name_;
  PacketPort* upstream_ = nullptr;
  Bytes receiving_{};           ///< in the receive buffer
  Bytes unplaced_{};            ///< payload of the packet in hand that isn't on its way to memory
  bool pausing_upstream_ = false;
  std::multimap<Picoseconds, Transfer*> placing_;  ///< writes that wait for their receive engine
  RandomStream placement_{0, ""};
  Picoseconds placement_wait_{}, executed_{}, completed_{};  ///< when the last of each is due
  std::vector<StaleFetch> stale_;
  std::vector<Failure> failures_;
  std::size_t lost_ = 0;  ///< of the queue pairs, those that existed at the last reset
  NicStats stats_;
};

}  // namespace gicsim::nic
