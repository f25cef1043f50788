// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/describe.h"
#include "models/base/kernel.h"
#include "models/mechanisms/crossing.h"
#include "models/mechanisms/serialiser.h"
#include "models/pcie/acs.h"
#include "models/pcie/params.h"
#include "models/pcie/splitter.h"
#include "models/pcie/unclaimed.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

struct SwitchStats {
  Count tlps = 0, peers = 0, redirected = 0, blocked = 0, splits = 0;
  Picoseconds peer_busy{};
};
template <class V>
constexpr void describe(V&& v, SwitchStats& s) {
  v("tlps", s.tlps, "TLPs forwarded");
  v("peers", s.peers, "of these, from one downstream port to another, or back down the same");
  v("redirected", s.redirected, "of these, sent upstream by ACS though bound for a peer");
  v("blocked", s.blocked, "TLPs that ACS, or a root port that passes no such request, didn't let through");
  v("splits", s.splits, "TLPs sent on in several smaller ones");
  v("peer_busy", s.peer_busy, "a root complex: time that traffic between devices took at its own rate, the busiest port");
}
static_assert(fully_described<SwitchStats>());

/// A PCIe switch, a host bridge, or the switching part of a root complex: routes requests by address,
/// completions and messages by ID; what no window claims goes upstream. Each TLP's way is decided where it
/// came in, by that port's ACS. Cut-through is a fixed latency; a TLP keeps its place in the ingress
/// buffer until the egress link takes it. In a root complex, traffic between two root ports may be
/// refused, slowed and split as these ports do.
/// Not modelled: weighted arbitration, arbitration towards memory and other sockets, multicast.
class Switch final : public sc_core::sc_module {
 public:
  /// Whether a TLP goes from one device to another: neither end is a CPU's core or memory.
  using IsPeer = bool (*)(const Tlp&);

  sc_core::sc_vector<sc_core::sc_export<TlpSink>> in{"in"};
  sc_core::sc_vector<sc_core::sc_port<TlpPort>> out{"out"};

  Switch(sc_core::sc_module_name name, Kernel& kernel, const Picoseconds& latency, int ports);

  /// @return the number of the next port that nobody uses yet
  int next_port() { return used_++; }
  /// The port leads down, to devices: `slot` are its controls.
  void leads_down(int port, const SlotParams& slot);
  void route_address(Address base, Address size, int port) { windows_.push_back({base, size, port}); }
  void route_requester(RequesterId id, int port);
  void route_upstream(int port) { upstream_ = port; }
  int upstream() const { return upstream_; }
  /// It is a root complex, or a host bridge of one: its downstream ports are root ports.
  void is_root(IsPeer is_peer, const RootParams& params) { is_peer_ = is_peer, root_ = &params; }
  /// The port leads to another part of the root complex, or to another socket's.
  void leads_across(int port) { ports_[static_cast<std::size_t>(port)].across = true; }
  /// Takes what can't be forwarded; without it that is a ModelError.
  void refuse_by(Unclaimed& unclaimed) { unclaimed_ = &unclaimed; }
  /// Requests towards a closed port are refused, for that reason; null: open again.
  void close(int port, const char* why);
  /// How its egress links are to arbitrate; whoever binds them tells them.
  void arbitrates(Arbitration how) { arbitration_ = how; }
  Arbitration arbitration() const { return arbitration_; }
  /// Turns sources of spread on.
  void vary(const Spread& spread) { core_ = Crossing(spread.params.pcie_clock, spread, std::string(name()) + ".core"); }
  const SwitchStats& stats() const { return stats_; }

 private:
  struct Window {
    Address base, size;
    int port;
  };
  struct Port final : TlpSink {
    Switch* owner = nullptr;
    int number = 0;
    const SlotParams* slot = nullptr;  ///< null: leads up, to memory, or across
    bool across = false;
    std::optional<Serialiser> writes, completions;  ///< payload from here to other root ports' devices
    Picoseconds peer_busy{}, last_ready{};
    TlpPort* out = nullptr;
    void arrive(const Tlp& tlp) override { owner->arrive(*this, tlp); }
  };

  void end_of_elaboration() override;
  void arrive(Port& from, const Tlp& tlp);
  int port_of(const Tlp& tlp) const;
  void refuse(Port& from, const Tlp& tlp, const char* why);
  /// Of a root complex. @return false: the ports don't pass such requests
  bool is_peer(const Port& from, const Port& to, const Tlp& tlp) const;
  bool allowed(const Port& from, const Port& to, const Tlp& tlp) const;
  Picoseconds slowed(Port& from, const Tlp& tlp, Picoseconds ready);

  Kernel& kernel_;
  const Picoseconds& latency_;
  std::deque<Port> ports_;
  std::vector<Window> windows_;
  std::vector<int> by_requester_;
  Crossing core_;
  IsPeer is_peer_ = nullptr;
  const RootParams* root_ = nullptr;
  Arbitration arbitration_ = Arbitration::arrival;
  int upstream_ = -1;
  int used_ = 0;
  Splitter splitter_;
  std::vector<const char*> closed_;  ///< by port, the reason; empty while none is
  Unclaimed* unclaimed_ = nullptr;
  SwitchStats stats_;
};

}  // namespace gicsim::pcie
