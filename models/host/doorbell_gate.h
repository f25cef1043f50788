// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/base/kernel.h"
#include "models/host/gate_params.h"
#include "models/host/params.h"
#include "models/mechanisms/delay_line.h"
#include "models/mechanisms/server.h"
#include "models/protocol/transfer.h"

namespace gicsim::host {

struct GateStats {
  Count passed = 0, refused = 0;
};
template <class V>
constexpr void describe(V&& v, GateStats& s) {
  v("passed", s.passed, "doorbells that went on to their NIC");
  v("refused", s.refused, "doorbells of whom the list doesn't know: they go nowhere, and nobody is told");
}
static_assert(fully_described<GateStats>());

/// A gate in the host's kernel that each doorbell passes, as popular write-ups have it: doorbells go to pages of host memory
/// instead of the NIC's, a kernel thread on a core of its own checks who rang, and rings the NIC. No library is known to work
/// so: the mapping of the NIC's page is the gate, and costs nothing once it is there. So this is a mode, off by default. The
/// claimed answer to a bad doorbell, a completion time-out, can't be: a posted write has no completion.
class DoorbellGate {
 public:
  DoorbellGate(Kernel& kernel, std::string name, const HostParams& host, const GateParams& params);

  /// The page that stands for a NIC's register.
  Address stand_before(std::size_t nic, Address doorbell);
  bool takes(Address address) const { return address - base < pages * page; }
  /// @param port  by which the doorbell goes on
  void arrive(const Transfer& doorbell, bool by_device, MemoryPort& port);

  const std::string& name() const { return name_; }
  const GateStats& stats() const { return stats_; }
  const ServerStats& busy() const { return thread_.stats(); }

 private:
  static constexpr Address base = 0xfd00'0000, page = 0x1'0000, pages = 16;
  struct Passing {
    Transfer doorbell;
    MemoryPort* port;
  };
  void on_checked();

  Kernel& kernel_;
  std::string name_;
  const HostParams& host_;
  const GateParams& params_;
  std::vector<Address> registers_;  ///< by NIC; 0: none stands there
  Server thread_;
  DelayLine<Passing> passing_;
  GateStats stats_;
};

}  // namespace gicsim::host
