// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "models/base/describe.h"
#include "models/base/kernel.h"
#include "models/mechanisms/crossing.h"
#include "models/pcie/unclaimed.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

struct SwitchStats {
  Count tlps = 0;
};
template <class V>
constexpr void describe(V&& v, SwitchStats& s) {
  v("tlps", s.tlps, "TLPs forwarded");
}
static_assert(fully_described<SwitchStats>());

/// A PCIe switch, or the switching part of a root complex: routes requests by address and
/// completions by requester ID; what no window claims goes upstream. Cut-through is a fixed
/// latency; a TLP keeps its place in the ingress buffer until the egress link takes it.
/// Not modelled: arbitration other than by arrival, ACS.
class Switch final : public sc_core::sc_module, private TlpSink {
 public:
  sc_core::sc_export<TlpSink> in{"in"};
  sc_core::sc_vector<sc_core::sc_port<TlpPort>> out{"out"};

  Switch(sc_core::sc_module_name name, Kernel& kernel, const Picoseconds& latency, int ports);

  /// @return the number of the next port that nobody uses yet
  int next_port() { return used_++; }
  void route_address(Address base, Address size, int port) { windows_.push_back({base, size, port}); }
  void route_requester(RequesterId id, int port);
  void route_upstream(int port) { upstream_ = port; }
  /// Takes what can't be forwarded; without it that is a ModelError.
  void refuse_by(Unclaimed& unclaimed) { unclaimed_ = &unclaimed; }
  /// Requests towards a closed port are refused, for that reason; null: open again.
  void close(int port, const char* why);
  /// Turns sources of spread on.
  void vary(const Spread& spread) { core_ = Crossing(spread.params.pcie_clock, spread, std::string(name()) + ".core"); }
  const SwitchStats& stats() const { return stats_; }

 private:
  struct Window {
    Address base, size;
    int port;
  };

  void end_of_elaboration() override;
  void arrive(const Tlp& tlp) override;
  int port_of(const Tlp& tlp) const;
  void refuse(const Tlp& tlp, const char* why);

  Kernel& kernel_;
  const Picoseconds& latency_;
  std::vector<Window> windows_;
  std::vector<int> by_requester_;
  Crossing core_;
  int upstream_ = -1;
  int used_ = 0;
  std::vector<TlpPort*> ports_;
  std::vector<const char*> closed_;  ///< by port, the reason; empty while none is
  Unclaimed* unclaimed_ = nullptr;
  SwitchStats stats_;
};

}  // namespace gicsim::pcie
