// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <systemc>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/base/spread.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/serialiser.h"
#include "models/pcie/data_link.h"
#include "models/pcie/flow_credits.h"
#include "models/pcie/link_stats.h"
#include "models/pcie/params.h"
#include "models/pcie/tlp_queues.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

/// The payload rate of the lanes after line coding.
BitRate rate(const LinkParams& params);

/// Bytes of a TLP on the lanes: framing, sequence number, header, payload in whole words, LCRC.
Bytes on_wire(const LinkParams& params, const Tlp& tlp);

/// What a link's receiver belongs to. An endpoint takes the completions that it asked for, so it advertises infinite
/// credits for them, whatever the link's parameters say.
enum class Far { forwards, endpoint };

/// One direction of a PCIe link: queue, flow-control credits of the far receiver, lanes, latency.
/// TLPs leave in the order in which they came, save that what lacks credits is passed by what the ordering rules let
/// pass. Completion credits are infinite by default, as endpoints and root ports advertise. Between TLPs go Acks for
/// what the other direction brought: at once while the lanes are free, else one for all that came meanwhile.
/// Bit errors, a replay buffer that may fill and UpdateFCs on the lanes take a DataLink, which looks at each TLP again;
/// without them a TLP gets its time of the lanes as soon as it has its credits.
/// Not modelled: credits of AtomicOps' data, errors of idle lanes.
/// Source: PCIe Base 5.0, 2.4.1 (ordering), 2.6.1 (flow control), 3.6.3 (Acks), 4.2 (lanes).
class Link final : public sc_core::sc_module, private TlpPort, private TlpSource, private DataLink::User {
 public:
  sc_core::sc_export<TlpPort> in{"in"};
  sc_core::sc_port<TlpSink> out{"out"};

  Link(sc_core::sc_module_name name, Kernel& kernel, const LinkParams& params, Kernel::Lane lane,
       Probe<TlpSent>& sent, Far far = Far::forwards);

  const LinkStats& stats() const { return stats_; }
  const FlowCredits& credits(Flow flow) const { return credits_[static_cast<std::size_t>(flow)]; }
  Count queued() const { return static_cast<Count>(waiting_.size()); }
  /// The other direction, which carries the Acks for this one's TLPs.
  void acknowledged_by(Link& back);
  /// Of an egress port: a TLP has the lanes once they are free and it is its turn, not when it comes.
  void arbitrate(Arbitration how);
  /// Seeds the bit errors.
  void vary(const Spread& spread);
  /// @throws ModelError when a TLP is still inside or a credit hasn't come back
  void check_books() const;

 private:
  void end_of_elaboration() override;
  void send(const Tlp& tlp, Picoseconds ready) override;
  void release(const Tlp& tlp, Picoseconds now) override;
  bool take_credits(const Tlp& tlp);
  void transmit(const Tlp& given, Picoseconds ready);
  void acknowledge(Picoseconds now);
  void forget_sent(Picoseconds now);
  void pump();
  Picoseconds credits_back();
  void on_credits_due();
  Picoseconds lanes_free() const { return data_link_ ? data_link_->free_at() : lanes_.free_at(); }
  void on_entered();
  void pump_in_turn();
  void on_lanes_free();
  void await_credits();
  void leave(Tlp& tlp, Picoseconds ready, Slot slot);
  void on_arrived();
  void land(const Tlp& tlp);

  void on_sent(Tlp& tlp, Picoseconds ready, Slot slot) override { leave(tlp, ready, slot); }
  void on_replayed(const Tlp& tlp, Slot slot) override;
  void on_accepted(const Tlp& tlp, Picoseconds waited, Picoseconds replayed) override;
  void on_credits(Flow flow, Count headers, Count data) override;

  FlowCredits& credits_of(const Tlp& tlp) { return credits_[static_cast<std::size_t>(flow_of(tlp.kind))]; }

  Kernel& kernel_;
  const LinkParams& params_;
  Kernel::Lane lane_;
  Probe<TlpSent>& sent_;
  TlpSink* far_ = nullptr;
  Link* back_ = nullptr;
  Serialiser lanes_;
  std::array<FlowCredits, 3> credits_;  ///< by Flow
  TlpQueues waiting_;
  Picoseconds retry_at_{};
  bool in_turn_ = false;                ///< ingress ports take turns
  bool awaits_lanes_ = false;
  DelayLine<Tlp> entering_{name()};     ///< on their way through the switch: in_turn_
  std::deque<Picoseconds> sent_until_;  ///< when the lanes are through with each TLP that has them
  Picoseconds ack_goes_{};              ///< when the last Ack goes
  DelayLine<Tlp> flying_{name()};
  std::unique_ptr<DataLink> data_link_;  ///< null: lanes without errors, and room for every replay
  std::string replay_name_;              ///< whose row of a ledger is the time of replays
  LinkStats stats_;
};

}  // namespace gicsim::pcie
