// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/kernel.h"
#include "models/mechanisms/delay_line.h"
#include "models/nic/params.h"
#include "models/protocol/packet.h"
#include "models/protocol/transfer.h"

namespace gicsim::nic {

/// A barrier as a write-up has it (claim barrier_packet): one store to a register of the NIC sends a packet to the first
/// member's NIC, which counts them in hardware and answers all; each NIC then writes the round's number into memory. No NIC
/// that we know of does it. What it costs is what packets cost here: no queue, no WQE, no memory of the first node.
/// Not modelled: loss of such a packet.
class BarrierUnit {
 public:
  BarrierUnit(Kernel& kernel, const NicParams& params, PortNumber number, Address reg)
      : kernel_(kernel), params_(params), number_(number), register_(reg) {}
  void attach(MemoryPort& memory, PacketPort& wire, Count& counted) {
    memory_ = &memory, wire_ = &wire, counted_ = &counted;
  }
  /// @param members  ports of all NICs that take part, the one that counts first
  /// @param flag  in this node's memory
  void join(std::vector<PortNumber> members, Address flag) { members_ = std::move(members), flag_ = flag; }

  Address address() const { return register_; }
  bool takes(Address at) const { return params_.barrier_packet && at == register_; }
  /// The register was written: this member has come to a round.
  void begin(const Transfer& store, Picoseconds now);
  void arrive(const Packet& packet);
  void unfinished(const std::string& who, std::vector<std::string>& lines) const;

 private:
  void send(bool release, PortNumber to, std::uint64_t round);
  void on_built();
  void on_received();
  void take(const Packet& packet);

  Kernel& kernel_;
  const NicParams& params_;
  PortNumber number_;
  Address register_, flag_ = 0;
  MemoryPort* memory_ = nullptr;
  PacketPort* wire_ = nullptr;
  Count* counted_ = nullptr;
  std::vector<PortNumber> members_;
  DelayLine<Packet> built_{"barrier"}, received_{"barrier"};
  std::map<std::uint64_t, std::size_t> here_;  ///< members that have come to a round
};

}  // namespace gicsim::nic
