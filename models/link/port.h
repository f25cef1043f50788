// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <systemc>

#include "models/base/kernel.h"
#include "models/link/arbiter.h"
#include "models/link/fabric_params.h"
#include "models/mechanisms/delay_line.h"
#include "models/protocol/packet.h"

namespace gicsim::link {

struct PortStats {
  Count pauses_sent = 0, pauses_received = 0, credits_sent = 0, held_up = 0;
  Picoseconds paused{}, wait{};
  Bytes queue_peak;
};
template <class V>
constexpr void describe(V&& v, PortStats& s) {
  v("pauses_sent", s.pauses_sent, "pause frames sent, repetitions among them");
  v("pauses_received", s.pauses_received, "pause frames received, repetitions among them");
  v("credits_sent", s.credits_sent, "flow-control packets sent");
  v("held_up", s.held_up, "times that the far end kept a priority from sending what waited");
  v("paused", s.paused, "time that a priority was paused, summed over priorities");
  v("wait", s.wait, "time that packets waited and none might be sent (PortXmitWait)");
  v("queue_peak", s.queue_peak, "most bytes that waited here");
}
static_assert(fully_described<PortStats>());

/// One end of a cable where flow control is modelled: packets wait here by priority (virtual lane),
/// an arbiter sends them one by one, and the far end says when it has no room: by pause frames
/// (PFC) or by credits in blocks of 64 B. What ports tell each other goes over the cable, before
/// any packet that hasn't begun, and isn't lost. Not modelled: service levels that map to other
/// lanes, credit packets that are repeated while idle. Source: IEEE 802.1Q, 36; InfiniBand 1.5, 7.9
class Port final : public sc_core::sc_module,
                   private PacketPort,
                   private PacketSink,
                   private PacketSource {
 public:
  sc_core::sc_export<PacketPort> in{"in"};  ///< of the device
  sc_core::sc_export<PacketSink> wire_in{"wire_in"};
  sc_core::sc_port<PacketPort> wire_out{"wire_out"};
  sc_core::sc_port<PacketSink> device{"device"};

  /// @param number  among the ports of its switch
  Port(sc_core::sc_module_name name, Kernel& kernel, const FabricParams& fabric,
       const ArbitrationParams& arbitration, BitRate rate, std::uint16_t number = 0);

  /// The device's buffer for what came in here is full at this priority, or has room again.
  void pause(int priority, bool on);
  /// A packet that came in here has left its device.
  void release(const Packet& packet);
  /// A device that needs no telling: its packets count as gone when they are here.
  void releases_at_once() { at_once_ = true; }

  Bytes queued() const { return queued_; }
  Bytes queued(int priority) const { return lane_bytes_[static_cast<std::size_t>(priority)]; }
  bool blocked(int priority) const;
  const std::deque<Packet>& queue(int priority) const {
    return queues_[static_cast<std::size_t>(priority)];
  }
  Count inside() const;
  /// When it said first that it is full; nothing: never.
  std::optional<Picoseconds> first_pause() const { return first_pause_; }
  const PortStats& stats() const { return stats_; }

 private:
  using Lane = std::size_t;
  void end_of_elaboration() override;
  // from the device
  Picoseconds send(const Packet& packet, Picoseconds ready) override;
  void pause(bool on) override;
  void sent_by(PacketSource& source) override { source_ = &source; }
  // from the cable
  void arrive(const Packet& packet) override;
  void on_told();
  void on_expired();

  void pump();
  bool send_control();
  void transmit(Picoseconds came);
  void on_sent(const Packet& packet, Picoseconds left) override;
  void on_free();
  void on_repeat();
  void say_pause(Lane lane, bool on);
  void set_paused(Lane lane, bool on);
  void note_wait(bool waiting);
  bool has_credits(Lane lane) const;

  Kernel& kernel_;
  const FabricParams& fabric_;
  BitRate rate_;
  std::uint16_t number_;
  PacketPort* wire_ = nullptr;
  PacketSink* device_ = nullptr;
  PacketSource* source_ = nullptr;
  Arbiter arbiter_;
  std::array<std::deque<Packet>, priorities> queues_;
  std::array<std::deque<Picoseconds>, priorities> ready_;  ///< when each of them came
  Bytes queued_{};
  std::array<Bytes, priorities> lane_bytes_{};
  bool busy_ = false;
  Packet sending_;
  std::deque<Packet> controls_;
  DelayLine<Packet> told_{name()};
  bool waits_ = false;
  Picoseconds waits_since_{};
  // what the far end says
  std::array<bool, priorities> paused_{};
  std::array<Picoseconds, priorities> paused_at_{}, paused_until_{};
  std::array<Count, priorities> sent_blocks_{}, limit_{};
  // what is said to it
  bool at_once_ = false, withheld_ = false;
  std::array<bool, priorities> pausing_{}, credit_due_{};
  std::array<Picoseconds, priorities> repeat_at_{};
  std::array<Count, priorities> freed_blocks_{}, withheld_blocks_{};
  std::optional<Picoseconds> first_pause_;
  PortStats stats_;
};

constexpr Count blocks(Bytes length) { return pieces(length, Bytes(64)); }

}  // namespace gicsim::link
