// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/base/kernel.h"
#include "scenarios/system/node.h"

namespace gicsim::system {

/// The scripted faults of a run, and what driver and operating system do about them: after `recovery.detect`
/// the queue pairs of a NIC end, after `recovery.reinit` the device is usable again.
///
/// surprise_down: the link is down; the port above answers for it. fatal: the device is dead; the port above does so only
/// with `dpc`. function_reset: the device answers UR. silent_reset: its mappings swallow writes and read ones.
/// A NIC loses its queue pairs in all four. port_down: a NIC's cable is pulled, and plugged in again after
/// `recovery.reinit` (Flaps). Not modelled: a process that dies with its GPU.
class Faults {
 public:
  Faults(Kernel& kernel, std::vector<std::unique_ptr<Node>>& nodes, const schema::SystemSpec& spec);

  /// When all that has failed so far is usable again.
  Picoseconds usable_at() const { return usable_at_; }
  /// "node0.gpu0: fatal at 40 us"; those that happened.
  std::vector<std::string> happened() const;
  /// Those that were to happen after the run's end, or at an answer that it didn't give.
  std::vector<std::string> missed() const;

 private:
  struct One {
    Faults& all;
    const schema::FaultSpec& spec;
    const Node::Plug& plug;
    std::string what;
    bool happened = false;
    void on_due();
    void on_detected();
    void on_usable();
    const char* closed_for() const;
  };

  Kernel& kernel_;
  std::vector<std::unique_ptr<Node>>& nodes_;
  const schema::SystemSpec& spec_;
  std::deque<One> ones_;
  Picoseconds usable_at_{};
};

}  // namespace gicsim::system
