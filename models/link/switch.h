// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <vector>

#include "models/base/kernel.h"
#include "models/link/params.h"
#include "models/mechanisms/delay_line.h"
#include "models/protocol/packet.h"

namespace gicsim::link {

struct SwitchStats {
  Count packets = 0;
};
template <class V>
constexpr void describe(V&& v, SwitchStats& s) {
  v("packets", s.packets, "packets forwarded");
}
static_assert(fully_described<SwitchStats>());

/// An output-queued switch: any input reaches any output after a fixed time; packets wait only
/// for the output's serialiser. Buffers are taken to be large enough (lossless fabric).
/// A packet is forwarded once it is whole; the latency is counted from there.
class Switch final : public sc_core::sc_module, private PacketSink {
 public:
  sc_core::sc_export<PacketSink> in{"in"};
  sc_core::sc_vector<sc_core::sc_port<PacketPort>> out{"out"};

  Switch(sc_core::sc_module_name name, Kernel& kernel, const SwitchParams& params, int ports);
  /// @return the number of the next port that nobody uses yet
  int next_port() { return used_++; }
  void route(PortNumber to, int port);
  const SwitchStats& stats() const { return stats_; }

 private:
  void end_of_elaboration() override;
  void arrive(const Packet& packet) override;
  void on_forwarded();

  Kernel& kernel_;
  const SwitchParams& params_;
  std::vector<int> routes_;  ///< by destination
  int used_ = 0;
  std::vector<PacketPort*> ports_;
  DelayLine<Packet> inside_{name()};
  SwitchStats stats_;
};

}  // namespace gicsim::link
