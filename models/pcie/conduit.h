// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <systemc>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/serialiser.h"
#include "models/pcie/params.h"
#include "models/protocol/tlp.h"

namespace gicsim::pcie {

struct ConduitStats {
  Count requests = 0;
  Bytes payload;
  Picoseconds busy{};
};
template <class V>
constexpr void describe(V&& v, ConduitStats& s) {
  v("requests", s.requests, "requests and responses carried");
  v("payload", s.payload, "payload bytes carried");
  v("busy", s.busy, "time the wires carried them");
}
static_assert(fully_described<ConduitStats>());

/// One direction of a coherent CPU-GPU link (NVLink-C2C), or, without parameters, the way from
/// a root complex to its own memory controller. No credits, no tags: what limits a coherent
/// link's requests is taken to be larger than any window of the path. A device's strictly ordered write
/// takes longer until it is visible; whoever else reads meanwhile passes it, that device doesn't.
class Conduit final : public sc_core::sc_module, private TlpPort, private TlpSource {
 public:
  sc_core::sc_export<TlpPort> in{"in"};
  sc_core::sc_port<TlpSink> out{"out"};

  Conduit(sc_core::sc_module_name name, Kernel& kernel, const CoherentParams* params, Kernel::Lane lane,
          Probe<TlpSent>& sent);
  const ConduitStats& stats() const { return stats_; }

 private:
  void end_of_elaboration() override { far_ = out.operator->(); }
  void send(const Tlp& tlp, Picoseconds ready) override;
  void release(const Tlp&, Picoseconds) override {}
  bool waits_behind(const Tlp& tlp, Picoseconds due) const;
  void arrived(DelayLine<Tlp>& line);
  void on_arrived() { arrived(flying_); }
  void on_ordered() { arrived(ordered_); }

  Kernel& kernel_;
  const CoherentParams* params_;
  Kernel::Lane lane_;
  Probe<TlpSent>& sent_;
  TlpSink* far_ = nullptr;
  std::optional<Serialiser> wires_;
  DelayLine<Tlp> flying_{name()};
  DelayLine<Tlp> ordered_{name()};  ///< strict writes, and requests of their devices behind them
  Picoseconds ordered_until_{};
  std::map<RequesterId, Picoseconds> writes_until_;  ///< of a device: when its last strict write is visible
  ConduitStats stats_;
};

}  // namespace gicsim::pcie
