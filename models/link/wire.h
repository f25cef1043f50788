// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/link/errors.h"
#include "models/link/fec.h"
#include "models/link/link_retry.h"
#include "models/link/loss.h"
#include "models/link/outage.h"
#include "models/link/params.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/serialiser.h"
#include "models/protocol/packet.h"

namespace gicsim::link {

struct WireStats {
  Count packets = 0;
  Bytes payload, wire;
  Picoseconds busy{};
  Count queued_peak = 0, lost = 0;
  Bytes payload_lost, wire_lost;
  Count pauses = 0;
  Picoseconds paused{};
  Count xmit_wait = 0;
};
template <class V>
constexpr void describe(V&& v, WireStats& s) {
  v("packets", s.packets, "packets sent");
  v("payload", s.payload, "payload bytes sent");
  v("wire", s.wire, "bytes sent with all headers");
  v("busy", s.busy, "time the serialiser was busy");
  v("queued_peak", s.queued_peak, "most packets inside at once: waiting, being sent, in flight");
  v("lost", s.lost, "packets lost");
  v("payload_lost", s.payload_lost, "payload bytes lost");
  v("wire_lost", s.wire_lost, "bytes lost, with all headers");
  v("pauses", s.pauses, "times that the receiver paused this direction");
  v("paused", s.paused, "time that it was paused");
  v("xmit_wait", s.xmit_wait, "whole ticks of link.tick in which it had something to send and was paused");
}
static_assert(fully_described<WireStats>());

/// One direction of a cable: a queue, one serialiser that keeps its remainder, FEC and flight.
/// A packet that gets lost takes its time on the serialiser and doesn't arrive. A full receiver pauses it: from
/// when that has come back over the cable, no further packet is begun, until it has room again.
/// Not modelled: lane skew, credits and pause by virtual lane or priority.
class Wire final : public sc_core::sc_module, private PacketPort {
 public:
  sc_core::sc_export<PacketPort> in{"in"};
  sc_core::sc_port<PacketSink> out{"out"};

  Wire(sc_core::sc_module_name name, Kernel& kernel, const WireParams& params, Kernel::Lane lane,
       Probe<PacketSent>& sent, std::uint64_t seed = 0);
  void script(const Drop& drop) { loss_.script(drop); }
  /// Codewords, bursts, retry: what of it is on. `errors` must outlive the wire.
  void disturb(const Errors& errors, std::uint64_t seed);
  /// It will be down, once the run gets there. @param outage  later than those before
  void script(const Outage& outage) { outages_.push_back(outage); }
  void went_down() { ++outage_stats_.downed; }
  const WireParams& params() const { return params_; }
  const WireStats& stats() const { return stats_; }
  const OutageStats& outages() const { return outage_stats_; }
  /// The far end has it stand; what waits meanwhile.
  bool stopped() const { return stopped_; }
  Count waiting() const { return static_cast<Count>(waiting_.size()); }
  /// Null: it has no code; no retry.
  const FecStats* fec() const { return coded_ ? &fec_->stats() : nullptr; }
  const RetryStats* retries() const { return retry_ ? &retry_->stats() : nullptr; }
  /// Calls visit(stats) for what it has; what isn't on has none.
  template <class Visit>
  void visit_stats(Visit&& visit) const {
    visit(stats_);
    if (loss_.bursts()) visit(*loss_.bursts());
    if (coded_) visit(fec_->stats());
    if (retry_) visit(retry_->stats());
    if (!outages_.empty()) visit(outage_stats_);
  }
  void check_books() const;

 private:
  void end_of_elaboration() override { far_ = out.operator->(); }
  Picoseconds send(const Packet& packet, Picoseconds ready) override;
  void pause(bool on) override;
  void sent_by(PacketSource& source) override { source_ = &source; }
  void on_pause();
  void take_back();
  Picoseconds transmit(const Packet& packet, Picoseconds ready, bool lost);
  struct Sending;
  void guard(Sending& sending);
  bool damaged(const Packet& packet, Slot slot) { return fec_ && fec_->damages(slot, packet.wire); }
  void lose(const Packet& packet, Slot slot, bool again = false);
  void on_arrived();

  Kernel& kernel_;
  const WireParams& params_;
  Kernel::Lane lane_;
  Probe<PacketSent>& sent_;
  PacketSink* far_ = nullptr;
  Serialiser serialiser_;
  struct Flying {
    Packet packet;
    Picoseconds first_bit, last_bit;  ///< leave the sender
    Picoseconds retried{};            ///< of the time until then, because the cable sent something again
  };
  /// A packet on the serialiser: for the first time, and as it got through or was lost.
  struct Sending {
    const Packet& packet;
    Picoseconds ready;
    bool lost;
    Slot first{}, slot{};
    Picoseconds held{};  ///< of its wait, because something before it was sent again
  };
  struct Waiting {
    Packet packet;
    Picoseconds ready;
    bool lost, told;  ///< told: the sender knows when it was to leave
  };
  DelayLine<Flying> flying_{name()};
  Picoseconds way_;                 ///< from a last bit sent to the same received
  Loss loss_;
  std::optional<Fec> fec_;
  bool coded_ = false;
  std::optional<LinkRetry> retry_;
  std::string retry_name_;          ///< whose row of a ledger is the time of retries
  Picoseconds retry_from_{}, retry_until_{};  ///< the newest took the cable
  std::vector<Outage> outages_;
  OutageStats outage_stats_;
  PacketSource* source_ = nullptr;
  DelayLine<bool> pausing_{name()};
  bool stopped_ = false;
  Picoseconds stopped_at_{};
  std::deque<Waiting> waiting_;  ///< while it is paused
  Picoseconds kept_waiting_{};   ///< since when
  WireStats stats_;
};

/// Header and trailer bytes of the link layer in use.
PacketOverhead overhead(Protocol protocol);

}  // namespace gicsim::link
