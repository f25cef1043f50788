// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/mechanisms/credits.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/serialiser.h"
#include "models/pcie/params.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

struct LinkStats {
  Count tlps = 0, acks = 0;
  Bytes payload, wire;
  Picoseconds busy{}, credit_wait{};
  Count queued_peak = 0;
};
template <class V>
constexpr void describe(V&& v, LinkStats& s) {
  v("tlps", s.tlps, "TLPs sent");
  v("acks", s.acks, "Acks sent for TLPs of the other direction");
  v("payload", s.payload, "payload bytes sent");
  v("wire", s.wire, "bytes of TLPs sent, with framing and headers");
  v("busy", s.busy, "time the lanes carried TLPs and Acks");
  v("credit_wait", s.credit_wait, "time a TLP at the head waited for credits");
  v("queued_peak", s.queued_peak, "most TLPs that waited at once");
}
static_assert(fully_described<LinkStats>());

/// The payload rate of the lanes after line coding.
BitRate rate(const LinkParams& params);

/// One direction of a PCIe link: queue, flow-control credits of the far receiver, lanes, latency.
/// Posted TLPs pass blocked others; nothing passes posted ones. Completion credits are infinite,
/// as endpoints and root ports advertise. Between TLPs go Acks for what the other direction brought:
/// at once while the lanes are free, else one for all that came meanwhile. Not modelled: replay, bit
/// errors, finite completion credits inside switches, the lanes' time for credit updates.
/// Source: PCIe Base 5.0, 2.4.1 (ordering), 2.6.1 (flow control), 3.6.3 (Acks), 4.2 (lanes).
class Link final : public sc_core::sc_module, private TlpPort, private TlpSource {
 public:
  sc_core::sc_export<TlpPort> in{"in"};
  sc_core::sc_port<TlpSink> out{"out"};

  Link(sc_core::sc_module_name name, Kernel& kernel, const LinkParams& params, Kernel::Lane lane,
       Probe<TlpSent>& sent);

  const LinkStats& stats() const { return stats_; }
  /// The other direction, which carries the Acks for this one's TLPs.
  void acknowledged_by(Link& back) { back_ = &back; }
  /// @throws ModelError when a TLP is still inside or a credit hasn't come back
  void check_books() const;

 private:
  struct Waiting {
    Tlp tlp;
    Picoseconds ready;
    std::uint64_t order;
  };
  using Queue = std::deque<Waiting>;

  void end_of_elaboration() override { far_ = out.operator->(); }
  void send(const Tlp& tlp, Picoseconds ready) override;
  void release(const Tlp& tlp, Picoseconds now) override;
  Bytes on_wire(const Tlp& tlp) const;
  bool take_credits(const Tlp& tlp);
  Queue* next_sendable();
  void transmit(const Waiting& waiting);
  void acknowledge(Picoseconds now);
  void forget_sent(Picoseconds now);
  void pump();
  Picoseconds credits_back() const;
  void on_credits();
  void on_arrived();

  Kernel& kernel_;
  const LinkParams& params_;
  Kernel::Lane lane_;
  Probe<TlpSent>& sent_;
  TlpSink* far_ = nullptr;
  Link* back_ = nullptr;
  Serialiser lanes_;
  Credits posted_headers_, posted_data_, non_posted_headers_;
  Queue posted_, non_posted_, completions_;
  std::uint64_t order_ = 0;
  Picoseconds retry_at_{};
  std::deque<Picoseconds> sent_until_;  ///< when the lanes are through with each TLP that has them
  Picoseconds ack_goes_{};              ///< when the last Ack goes
  DelayLine<Tlp> flying_{name()};
  LinkStats stats_;
};

}  // namespace gicsim::pcie
