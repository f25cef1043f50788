// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/link/wire.h"
#include "models/protocol/port_event.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/system/node.h"

namespace gicsim::system {

/// Cables that go down and come up again, by script: their wires know when, and what is under way or sent meanwhile is
/// lost. At both instants each end's port says so, and a NIC's driver is told.
class Flaps {
 public:
  Flaps(Kernel& kernel, const schema::SystemSpec& spec, const std::vector<std::unique_ptr<Node>>& nodes,
        const std::vector<std::unique_ptr<link::Wire>>& wires);

  Probe<PortEvent>& events() { return events_; }
  /// "node0.nic0.link: down at 40 us, up at 2.04 ms"; those that happened.
  std::vector<std::string> happened() const;
  /// Those that were to happen after the run's end.
  std::vector<std::string> missed() const;

 private:
  struct One {
    Flaps& all;
    const schema::FlapSpec& spec;
    std::vector<link::Wire*> wires;
    std::vector<std::string> ports;  ///< of its two ends, as far as they have names
    bool downed = false, upped = false;
    std::vector<nic::Nic*> nics;      ///< whose ports these are
    void on_down();
    void on_up();
    std::string told() const;
  };

  Kernel& kernel_;
  std::deque<One> ones_;
  Probe<PortEvent> events_;
};

}  // namespace gicsim::system
