// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <systemc>
#include <tuple>
#include <vector>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/mechanisms/credits.h"
#include "models/mechanisms/crossing.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/server.h"
#include "models/nic/barrier_packet.h"
#include "models/mechanisms/server_pool.h"
#include "models/nic/contexts.h"
#include "models/nic/fetch_params.h"
#include "models/nic/params.h"
#include "models/nic/protection.h"
#include "models/nic/queue_pair.h"
#include "models/nic/queue_params.h"
#include "models/nic/stats.h"
#include "models/nic/transport_params.h"
#include "models/protocol/atomic_done.h"
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
/// windows, inline or read payload, packetiser, requester and responder of RC, with go-back-N or selective repeat, of UD and of
/// DC, receive queues, atomics under locks, protection, contexts and translations in caches, congestion control, completions.
/// Not modelled: more than one port.
/// Source: InfiniBand 1.5, 9.4 (operations), 9.7 (reliable service), 9.8 (datagrams), 10.6 (memory management)
class Nic final : public sc_core::sc_module, private Target, private PacketSink, private PacketSource, private Initiator {
 public:
  sc_core::sc_port<MemoryPort> port{"port"};
  sc_core::sc_export<Target> target{"target"};
  sc_core::sc_port<PacketPort> wire_out{"wire_out"};
  sc_core::sc_export<PacketSink> wire_in{"wire_in"};

  Nic(sc_core::sc_module_name name, Kernel& kernel, const NicParams& params, PortNumber number,
      PacketOverhead overhead, Address bar, const TransportParams& transport = default_transport);

  /// The parameters of parts of its own, and where its tables lie in host memory. Before anything is connected.
  void equip(const FetchParams& fetch, const ContextParams& contexts, Address tables);
  Contexts& contexts() { return *contexts_; }
  const Contexts& contexts() const { return *contexts_; }
  const FetchStats& fetch_stats() const { return fetch_stats_; }

  /// The doorbell register of any of this NIC's queues; the value names the queue.
  Address doorbell_address() const { return bar_ + 0x800; }
  std::size_t queue_pairs() const { return queue_pairs_.size(); }
  /// Where its own memory (MEMIC) begins, which it can reach without a bus.
  Address own_memory() const { return bar_ + (Address{1} << 24); }
  /// Where a poller of a CQ that makes events asks for the next one: queue and how far it has come.
  Address arm_address() const { return bar_ + 0x20; }
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
  /// @return its key. Once there is a region, nothing may be touched that isn't in one
  std::uint32_t register_memory(const Region& region) { return protection_.add(region); }
  /// @throws ModelError when there is no way from its state to that one
  void modify(std::uint32_t qpn, QueueState to);
  QueueState state(std::uint32_t qpn) { return qp(qpn).state; }
  /// The newest `n` of its receive queue's WQEs, which lie there, if it has a ring.
  void post_receives(std::uint32_t qpn, Count n);

  /// Congestion control of queue pairs that are made from now on, DCQCN or InfiniBand's; `line`: its port's rate.
  void control(const DcqcnParams* dcqcn, const IbCcParams* ib_cc, BitRate line);
  /// What one of its queue pairs met: packets sent again, CNPs received, the least rate, and that which it has now.
  struct Met {
    Count resent = 0, cnps = 0;
    Bytes sent{};  ///< of payload, again or not
    std::optional<BitRate> lowest{}, rate{};
  };
  Met met(std::uint32_t qpn) const;
  /// Who hears of its atomics' effects on memory.
  void tell(const Probe<AtomicDone>& atomics) { atomics_done_ = &atomics; }
  /// The port that its wire comes from: what a full receive buffer pauses.
  void fed_by(PacketPort& port) { upstream_ = &port; }

  /// Turns sources of spread on.
  void vary(const Spread& spread);
  const NicStats& stats() const { return stats_; }
  /// What each queue pair counted, by its number.
  std::vector<QpStats> queue_pair_stats() const;
  const CqStats& cq_stats() const { return cq_stats_; }
  const std::string& cq_name() const { return cq_name_; }
  /// In order: what its driver was told, doorbells that named no queue, how far a queue was rung.
  const std::vector<AsyncEvent>& async_events() const { return async_; }
  const std::vector<Unclaimed>& unclaimed() const { return unclaimed_; }
  std::uint32_t rung(std::uint32_t qpn) const { return queue_pairs_[qpn - 1]->producer; }
  /// How far that has come: units asked for, WQEs completed.
  std::uint32_t fetched(std::uint32_t qpn) const { return queue_pairs_[qpn - 1]->fetching; }
  Count completed(std::uint32_t qpn) const { return queue_pairs_[qpn - 1]->completed; }
  /// Its cable went down, or came up; the driver is told.
  void port_changed(bool up);
  const std::vector<StaleFetch>& stale_fetches() const { return stale_; }
  const std::vector<Failure>& failures() const { return failures_; }
  /// A reset, or an error that its function doesn't survive: every queue pair ends, packets for them are lost.
  void lose_all(const std::string& cause);
  /// CQEs by which a driver ends the queue pairs that a reset took, with their addresses: of all that their rings hold.
  std::vector<std::pair<Address, Cqe>> flushed_by_driver() const;
  /// What a stuck run waits for here: queue pairs with work that doesn't move.
  void unfinished(std::vector<std::string>& lines) const;
  /// Queue pairs whose state let packets not in.
  void refused(std::vector<std::string>& lines) const {
    for (const auto& queue : queue_pairs_) refused(lines, *queue);
  }
  void check_books() const;

 private:
  void refused(std::vector<std::string>& lines, const QueuePair& qp) const;
  // doorbell.cpp: BAR writes and the descriptor-fetch engine
  Picoseconds accept(const Transfer& transfer, Bytes length, Picoseconds now) override;
  void on_write(Transfer& transfer, Picoseconds now) override;
  Picoseconds on_read(const Transfer& transfer, Bytes length, Picoseconds now) override;
  void sample(Transfer&, Picoseconds) override {}
  void on_doorbell();
  void want_fetch(QueuePair& qp);
  void pump_fetch();
  /// WQEs of a queue pair that are fetched, or being so, and not yet sent.
  static Count ahead(const QueuePair& qp) { return qp.in_fetch + qp.in_decode + static_cast<Count>(qp.decoded.size()); }
  void fetch(QueuePair& qp, std::uint32_t units);
  void on_fetched(Transfer& transfer);
  void take_unit(QueuePair& qp, const Content& unit, std::size_t line, const Transfer& transfer);
  void decode(QueuePair& qp, const Wqe& wqe);
  // context.cpp: waiting for contexts and translations, processing units
  bool requester_here(QueuePair& queue);
  bool translated(Stream& stream, bool reply);
  void enter(const Packet& packet);
  std::uint32_t context_of(const Packet& packet) const;
  bool receivable(const Packet& packet, std::uint32_t context, Contexts::Keys& keys);
  void receive(const Packet& packet);
  void pump_stalled();
  Picoseconds unit_free(Picoseconds now);
  // periodic_scan.cpp: the claimed engine that scans rings
  void expect_scan(QueuePair& queue);
  void on_scan();
  void drop_units(QueuePair& queue, std::uint32_t units);
  void skip_dropped(QueuePair& queue);
  // pointer_doorbell.cpp: the claimed doorbell that points to a descriptor
  void read_descriptor(QueuePair& queue, Ledger* ledger);
  void on_descriptor(Transfer& transfer);
  void go_fetch(QueuePair& queue);
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
  // dma_errors.cpp: what the NIC's own memory accesses do to queue pairs when they fail
  void fail_fetch(QueuePair& queue, const Transfer& read);
  void fail_payload(Job& job, Stream& stream, const Transfer& read);
  void fail_write(QueuePair& queue, const Transfer& write);
  void fail_reply(Reply& reply, const Transfer& access);
  void refuse_request(QueuePair& queue, std::uint32_t psn, std::string cause,
                      CqeStatus status = CqeStatus::remote_operation);
  void break_off(Reply& reply);
  // requester.cpp: packets, answers
  void on_decoded();
  void pump_packets(QueuePair& queue);
  Packet next_packet(QueuePair& queue, Job& job);
  static Packet packet_at(const QueuePair& queue, const Job& job, std::int64_t index);
  void build(QueuePair& queue, Packet& packet, bool buffered, Reply* reply, Job* datagram = nullptr);
  void on_built();
  void on_ack_handled();
  void handle(QueuePair& queue, const Packet& ack);
  void on_response(const Packet& packet);
  void take_response(QueuePair& queue, Job& job, const Packet& packet);
  // loopback.cpp: what is for this NIC itself
  Picoseconds emit(const Packet& packet);
  void on_looped();
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
  bool ends_fetch(QueuePair& queue, std::uint32_t psn);
  void acknowledge(QueuePair& queue, std::uint32_t psn);
  void progress(QueuePair& queue);
  void go_on(QueuePair& queue);
  void start_timer(QueuePair& queue);
  void stop_timer(QueuePair& queue);
  void tick(AckTimer& timer);
  void on_deadline(QueuePair& queue);
  void retry(QueuePair& queue, std::uint32_t psn);
  void rewind(QueuePair& queue, std::uint32_t psn, Stage lost);
  void take_back(Job& job, std::int64_t sent, Stage lost);
  void count_fetches(QueuePair& queue, std::int64_t change);
  friend struct ReadyTimer;
  void on_receiver_ready(QueuePair& queue);
  void not_ready(QueuePair& queue, const Packet& nak);
  void fail(QueuePair& queue, std::uint32_t psn, CqeStatus status, std::string cause = {});
  Picoseconds time_out(QueuePair& queue);
  void later(QueuePair& queue);
  void sooner(QueuePair& queue);
  bool exhausted(const QueuePair& queue) const;
  // congestion.cpp: rates of queue pairs, and what tells their senders
  friend struct RateLimiter;
  void address(Packet& packet, const QueuePair& queue) const;
  bool held_back(QueuePair& queue);
  void charge(QueuePair& queue, Bytes length);
  void notify_sender(const Packet& packet);
  void on_notified(const Packet& packet);
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
  void take(QueuePair& queue, const Packet& packet);
  void take_next(QueuePair& queue, const Packet& packet, bool placed = false);
  LedgerRef fork_delivery(const Packet& packet);
  void accept_write(QueuePair& queue, const Packet& packet, bool placed);
  void put_down(QueuePair& queue, const Packet& packet, LedgerRef delivery);
  void out_of_order(QueuePair& queue, const Packet& packet);
  void refuse_for_now(QueuePair& queue, const Packet& packet);
  void wait_behind(QueuePair& queue, const Packet& packet);
  static bool waits_for_receive(const QueuePair& queue);
  static std::int64_t psns_of(const QueuePair& queue, const Packet& packet);
  void owe_nak(QueuePair& queue, Syndrome why);
  // reorder.cpp: packets that overtook others
  bool take_early(QueuePair& queue, const Packet& packet);
  void owe_ack(QueuePair& queue, const Packet& packet);
  void take_turn(QueuePair& queue);
  void on_ack_turn();
  void next_ack(QueuePair& queue);
  void next_gap(QueuePair& queue, std::uint32_t arrived);
  void send_ack(QueuePair& queue, Packet ack);
  // receives.cpp: receive WQEs, and packets that wait for one
  void no_longer_starved(QueuePair& queue);
  void ask_receives(QueuePair& queue);
  void on_receives(Transfer& read);
  static bool begins_receive(const Packet& packet);
  static bool receive_under_way(const QueuePair& queue);
  ReceiveWqe consume_receive(QueuePair& queue, const Packet& packet);
  void keep(QueuePair& queue, const Packet& packet, bool roomed);
  void drain(QueuePair& queue);
  void forget_early(QueuePair& queue);
  void accept_send(QueuePair& queue, const Packet& packet);
  void flush_receives(QueuePair& queue);
  void fail_receive(QueuePair& queue, std::uint32_t index, CqeStatus status);
  // selective.cpp: what is missing, and nothing else
  bool selective() const { return transport_.retransmission == Retransmission::selective_repeat; }
  void keep_beyond(QueuePair& queue, const Packet& packet);
  void report(QueuePair& queue, std::uint32_t from, std::uint32_t until);
  void report_gaps(QueuePair& queue);
  void on_gap(QueuePair& queue, const Packet& nak);
  static Job* sent_job(QueuePair& queue, std::uint32_t psn);
  void repair(QueuePair& queue, std::uint32_t psn);
  void pump_repairs(QueuePair& queue);
  void forget_repairs(QueuePair& queue, const Job* of = nullptr);
  void recycle(Repair& repair);
  void probe(QueuePair& queue);
  bool in_window(const QueuePair& queue, const Job& job) const;
  bool worth_reading(const QueuePair& queue, const Job& job) const;
  bool awaits(const QueuePair& queue) const;
  bool keep_response(QueuePair& queue, const Packet& packet);
  void go_through(QueuePair& queue);
  void forget_responses(QueuePair& queue);
  // datagram.cpp: UD
  struct Built;
  void on_datagram(Built& built);
  void keep_datagram(Job& job);
  void put_header(QueuePair& queue, Address address);
  void take_datagram(QueuePair& queue, const Packet& packet);
  void drain_datagrams(QueuePair& queue);
  // dynamic.cpp: DC
  bool connected(QueuePair& queue, const Job& job);
  void send_connect(QueuePair& queue, std::uint32_t psn);
  void take_dynamic(const Packet& packet);
  // protection.cpp: keys, ranges, domains, states
  CqeStatus may_execute(const Job& job);
  bool may_serve(QueuePair& queue, const Packet& packet);
  // replies.cpp: READs and atomics at the responder
  void accept_fetch(QueuePair& queue, const Packet& packet);
  void repeat_fetch(QueuePair& queue, const Packet& packet);
  Reply& new_reply(QueuePair& queue, const Packet& packet);
  void cut_replies(QueuePair& queue, std::uint32_t psn);
  void execute(Reply& reply);
  void on_execute();
  Address lock_of(const Reply& reply) const {
    return reply.address / 8 % static_cast<Address>(transport_.atomic_locks);
  }
  void lock(Reply& reply);
  void unlock(Reply& reply);
  void begin_atomic(Reply& reply);
  static LedgerRef fork_delivery(const Reply& reply);
  void on_old_value(Reply& reply, Transfer& transfer);
  void on_atomic();
  void on_own_atomic();
  void combine(Reply& reply);
  void write_back(Reply& reply);
  void on_written_back(const Transfer& write);
  /// In its own memory, which its BAR shows.
  bool in_device(Address address) const {
    return address - own_memory() < static_cast<Address>(transport_.device_memory.count());
  }
  void pump_replies(QueuePair& queue);
  void build_response(QueuePair& queue, Reply& reply);
  void retire(Reply& reply);
  void recycle(Reply& reply);

  void check_counters() const;
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
    Job* datagram;  ///< complete as soon as it has left
  };
  struct Stalled {
    Packet packet;
    Picoseconds since;
    std::uint32_t context;  ///< the queue pair whose context it needs
    bool asked = false, ready = false;
  };
  struct Reader {
    QueuePair* queue;
    bool reply;
    Bytes left;  ///< of its turn
  };

  Kernel& kernel_;
  const NicParams& params_;
  const TransportParams& transport_;
  PortNumber number_;
  PacketOverhead overhead_;
  Address bar_;
  MemoryPort* port_ = nullptr;
  PacketPort* wire_ = nullptr;
  DelayLine<Packet> looped_{name()};
  std::vector<std::unique_ptr<QueuePair>> queue_pairs_;
  std::deque<Job> jobs_;
  std::vector<Job*> free_jobs_;
  std::deque<std::pair<Job*, Picoseconds>> gone_;  ///< datagrams, and when they left
  std::deque<Repair> repairs_;
  std::vector<Repair*> free_repairs_;
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
  DelayLine<QueuePair*> ack_turns_{name()};
  DelayLine<Reply*> executing_{name()};
  std::map<Address, std::deque<Reply*>> locks_;  ///< those that are taken: the first holds it, others wait
  DelayLine<Reply*> combining_{name()}, in_own_memory_{name()};
  std::map<Address, std::uint64_t> own_words_;
  std::map<Address, Picoseconds> lock_held_;
  DelayLine<Completing> completing_{name()};
  const QueueParams* queue_params_;
  DelayLine<std::uint64_t> arming_{name()};
  DelayLine<QueuePair*> moderating_{name()}, eventing_{name()};
  std::vector<AsyncEvent> async_;
  std::vector<Unclaimed> unclaimed_;
  BarrierUnit barrier_;
  CqStats cq_stats_;
  std::string cq_name_;
  PacketPort* upstream_ = nullptr;
  const Probe<AtomicDone>* atomics_done_ = nullptr;
  const DcqcnParams* dcqcn_ = nullptr;
  const IbCcParams* ib_cc_ = nullptr;
  BitRate line_;
  Bytes receiving_{};           ///< in the receive buffer
  Bytes unplaced_{};            ///< payload of the packet in hand that isn't on its way to memory
  bool pausing_upstream_ = false;
  std::multimap<Picoseconds, Transfer*> placing_;  ///< writes that wait for their receive engine
  RandomStream placement_{0, ""};
  Picoseconds placement_wait_{}, executed_{}, completed_{};  ///< when the last of each is due
  std::vector<StaleFetch> stale_;
  std::vector<Failure> failures_;
  Protection protection_;
  RandomStream adp_{0, ""};
  Count kept_ = 0;        ///< packets, of all queue pairs
  std::size_t lost_ = 0;  ///< of the queue pairs, those that existed at the last reset
  const FetchParams* fetch_;
  std::optional<Contexts> contexts_;
  std::optional<ServerPool> units_;      ///< none: they never bind
  std::deque<Picoseconds> fifo_;         ///< when each doorbell in the FIFO is taken
  std::deque<Stalled> stalled_;          ///< packets behind one whose context isn't here
  std::set<std::uint32_t> asked_for_;    ///< queue pairs of these whose contexts are in fetch
  std::deque<QueuePair*> to_scan_;       ///< with WQEs that no scan has seen
  Picoseconds stands_since_{};           ///< the receive pipeline
  bool scanning_ = false;
  FetchStats fetch_stats_;
  NicStats stats_;
  std::map<std::tuple<std::uint32_t, PortNumber, std::uint32_t>, QueuePair*> dynamic_;  ///< DC: contexts of targets
  std::int64_t fetches_out_ = 0;     ///< READs and atomics without their answer, of all queue pairs,
  Picoseconds fetches_since_{};      ///< since then
};

}  // namespace gicsim::nic
