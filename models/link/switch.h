// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <systemc>
#include <vector>

#include "models/base/kernel.h"
#include "models/base/random.h"
#include "models/link/buffer.h"
#include "models/link/params.h"
#include "models/link/port.h"
#include "models/link/routes.h"
#include "models/mechanisms/delay_line.h"
#include "models/protocol/packet.h"

namespace gicsim::link {

struct SwitchStats {
  Count packets = 0, dropped = 0, dropped_lossless = 0, marked = 0;
  Bytes payload_dropped, buffer_peak;
};
template <class V>
constexpr void describe(V&& v, SwitchStats& s) {
  v("packets", s.packets, "packets forwarded");
  v("dropped", s.dropped, "packets that found no room");
  v("dropped_lossless", s.dropped_lossless,
    "of these, packets of a lossless priority: its headroom is too small");
  v("marked", s.marked, "packets marked as having met congestion");
  v("payload_dropped", s.payload_dropped, "payload bytes of packets that found no room");
  v("buffer_peak", s.buffer_peak, "most bytes in the switch");
}
static_assert(fully_described<SwitchStats>());

/// An output-queued switch: any input reaches any output after a fixed time; packets wait only for
/// their output. Without manage() its buffers are large enough. With it, its ports have queues by
/// priority, and packets lie in one memory from their last bit in until their last bit out, are
/// marked by what waits before them, and pause who sends too much. A packet is forwarded once it is
/// whole; the latency is counted from there.
class Switch final : public sc_core::sc_module, private PacketSink, private PacketSource {
 public:
  sc_core::sc_export<PacketSink> in{"in"};
  sc_core::sc_vector<sc_core::sc_port<PacketPort>> out{"out"};

  Switch(sc_core::sc_module_name name, Kernel& kernel, const SwitchParams& params, int ports);
  /// @return the number of the next port that nobody uses yet
  int next_port() { return used_++; }
  /// A port on a shortest way; several for one destination are chosen from by `routing`.
  void route(PortNumber to, int port) { routes_.add(to, port); }
  void choose(Routing routing) { routing_ = routing; }
  /// Finite memory; with credits, that of its ports.
  void manage(const BufferParams& buffer, const FabricParams& fabric, std::uint64_t seed);
  /// ECN, by chance; FECN, beyond a threshold and of so many packets only one.
  void mark(const EcnParams& ecn) { ecn_ = &ecn; }
  void mark(Bytes threshold, Count left_out) {
    fecn_threshold_ = threshold, fecn_left_out_ = left_out;
  }
  /// Its end of a cable, where ports are modelled.
  void attach(int number, Port& port);
  const std::vector<Port*>& ends() const { return ends_; }
  const SwitchStats& stats() const { return stats_; }
  /// When it marked a packet first; nothing: never.
  std::optional<Picoseconds> first_mark() const { return first_mark_; }
  /// What is in it now.
  Bytes payload_inside() const { return payload_inside_; }
  Bytes held() const { return buffer_ ? buffer_->held() : Bytes{}; }

 private:
  void end_of_elaboration() override;
  void arrive(const Packet& packet) override;
  void on_forwarded();
  void on_sent(const Packet& packet, Picoseconds left) override;
  int way(const Packet& packet) const;
  bool store(const Packet& packet);
  bool marks(const Packet& packet);

  Kernel& kernel_;
  const SwitchParams& params_;
  Routes routes_;
  Routing routing_ = Routing::fixed;
  int used_ = 0;
  std::vector<PacketPort*> ports_;
  bool managed_ = false;
  std::vector<Picoseconds> free_at_;  ///< of ports without queues of their own
  std::vector<Bytes> waiting_;        ///< for ports with such, from arrival on
  std::vector<Port*> ends_;
  std::optional<SharedBuffer> buffer_;
  bool pauses_ = false;
  const EcnParams* ecn_ = nullptr;
  std::optional<Bytes> fecn_threshold_;
  Count fecn_left_out_ = 0, unmarked_ = 0;
  RandomStream random_{0, ""};
  std::optional<Picoseconds> first_mark_;
  DelayLine<Packet> inside_{name()};
  Bytes payload_inside_{};
  SwitchStats stats_;
};

}  // namespace gicsim::link
