// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/serialiser.h"
#include "models/pcie/params.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

struct SocketLinkStats {
  Count requests = 0, peer_requests = 0;
  Bytes payload, wire;
  Picoseconds busy{}, peer_busy{};
};
template <class V>
constexpr void describe(V&& v, SocketLinkStats& s) {
  v("requests", s.requests, "requests and responses carried");
  v("peer_requests", s.peer_requests, "of these, between two devices");
  v("payload", s.payload, "payload bytes carried");
  v("wire", s.wire, "bytes carried with headers");
  v("busy", s.busy, "time the wires carried them");
  v("peer_busy", s.peer_busy, "time that traffic between devices took at its own rate");
}
static_assert(fully_described<SocketLinkStats>());

/// One direction of the link between two sockets. Traffic between two devices passes a slower
/// server first; all else waits behind it, in order. A read of one device by another takes longer,
/// and posted writes pass it on the way.
/// Not modelled: snoops and other coherence traffic, credits of its own, several links side by side.
class SocketLink final : public sc_core::sc_module, private TlpPort, private TlpSource {
 public:
  /// Whether a TLP goes from one device to another: neither end is a CPU's core or memory.
  using IsPeer = bool (*)(const Tlp&);

  sc_core::sc_export<TlpPort> in{"in"};
  sc_core::sc_port<TlpSink> out{"out"};

  SocketLink(sc_core::sc_module_name name, Kernel& kernel, const SocketLinkParams& params, IsPeer is_peer,
             Kernel::Lane lane, Probe<TlpSent>& sent);
  const SocketLinkStats& stats() const { return stats_; }
  /// @throws ModelError when something is still inside, or more went through than the rate allows
  void check_books() const;

 private:
  void end_of_elaboration() override { far_ = out.operator->(); }
  void send(const Tlp& tlp, Picoseconds ready) override;
  void release(const Tlp&, Picoseconds) override {}
  void arrived(DelayLine<Tlp>& line);
  void on_arrived() { arrived(flying_); }
  void on_peer_read() { arrived(peer_reads_); }

  Kernel& kernel_;
  const SocketLinkParams& params_;
  IsPeer is_peer_;
  Kernel::Lane lane_;
  Probe<TlpSent>& sent_;
  TlpSink* far_ = nullptr;
  Serialiser wires_, peers_;
  DelayLine<Tlp> flying_{name()}, peer_reads_{name()};
  SocketLinkStats stats_;
};

}  // namespace gicsim::pcie
