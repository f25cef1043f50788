// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <systemc>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/link/loss.h"
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
  Bytes payload_lost;
  Count pauses = 0;
  Picoseconds paused{};
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
  v("pauses", s.pauses, "times that the receiver paused this direction");
  v("paused", s.paused, "time that it was paused");
}
static_assert(fully_described<WireStats>());

/// One direction of a cable: a queue, one serialiser that keeps its remainder, FEC and flight.
/// A packet that gets lost takes its time on the serialiser and doesn't arrive. A full receiver pauses it: from
/// when that has come back over the cable, no further packet is begun, until it has room again.
/// Not modelled: lane skew, credits and pause by virtual lane or priority, link-level retries.
class Wire final : public sc_core::sc_module, private PacketPort {
 public:
  sc_core::sc_export<PacketPort> in{"in"};
  sc_core::sc_port<PacketSink> out{"out"};

  Wire(sc_core::sc_module_name name, Kernel& kernel, const WireParams& params, Kernel::Lane lane,
       Probe<PacketSent>& sent, std::uint64_t seed = 0);
  void script(const Drop& drop) { loss_.script(drop); }
  const WireStats& stats() const { return stats_; }
  void check_books() const;

 private:
  void end_of_elaboration() override { far_ = out.operator->(); }
  Picoseconds send(const Packet& packet, Picoseconds ready) override;
  void pause(bool on) override;
  void sent_by(PacketSource& source) override { source_ = &source; }
  void on_pause();
  void take_back();
  Picoseconds transmit(const Packet& packet, Picoseconds ready, bool lost);
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
  };
  struct Waiting {
    Packet packet;
    Picoseconds ready;
    bool lost, told;  ///< told: the sender knows when it was to leave
  };
  DelayLine<Flying> flying_{name()};
  Loss loss_;
  PacketSource* source_ = nullptr;
  DelayLine<bool> pausing_{name()};
  bool stopped_ = false;
  Picoseconds stopped_at_{};
  std::deque<Waiting> waiting_;  ///< while it is paused
  WireStats stats_;
};

/// Header and trailer bytes of the link layer in use.
PacketOverhead overhead(Protocol protocol);

}  // namespace gicsim::link
