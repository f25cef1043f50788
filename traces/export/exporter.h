// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/base/kernel.h"
#include "models/base/probe.h"
#include "models/protocol/message_ended.h"
#include "models/protocol/packet.h"
#include "models/protocol/port_event.h"
#include "models/protocol/tlp.h"
#include "models/units/bit_rate.h"
#include "traces/export/step_played.h"

namespace gicsim::exports {

/// A NIC's port and the cable at it.
struct PortAt {
  std::string name;        ///< "node0.nic0"
  PortNumber number = 0;   ///< what packets call it
  std::string out, in;     ///< names of the cable's directions, as PacketSent has them
  BitRate rate;
};

/// The machine that is listened to.
struct Machine {
  std::string scenario, system;
  bool infiniband = true;  ///< the link layer; else RoCEv2
  std::vector<PortAt> ports;
  std::vector<std::pair<std::string, std::string>> keys{};  ///< of the scenario that say how its messages are sent
  std::vector<std::string> ranks{};  ///< of a replay, where each runs: "node0.gpu1"
};

/// Something whose value is sampled: how full a thing is, or how long it was busy since the start.
struct Gauge {
  std::string module;  ///< "node0.gpu0_pcie_up"
  std::string what;    ///< "posted_headers"
  std::string unit;    ///< "": a number; "B", "bit/s", "bool"; of a busy time "ps"
  bool busy = false;
  double servers = 1;  ///< of a busy time: as many in parallel
};

/// What a run can be heard by. All of it lives as long as the run, and no longer: who listens keeps copies.
struct Probes {
  const Kernel& kernel;
  const Machine& machine;
  Probe<TlpSent>& tlps;
  Probe<PacketSent>& packets;
  Probe<PortEvent>& port_events;
  Probe<MessageEnded>& messages;
  std::span<const Gauge> gauges;  ///< what samples are of
  Probe<StepPlayed>* steps = nullptr;  ///< of a replay
};

/// The gauges' values at one instant, in their order.
struct Sample {
  Picoseconds at{};
  std::span<const std::int64_t> values;
};

struct Counter {
  std::string module, name, sentence, unit;
  std::int64_t value = 0;
};

/// How a run ended, told when the machine is no more.
struct Outcome {
  std::string status;          ///< "done", "stuck", .., "broke off": then there is nothing else
  Picoseconds elapsed{};
  std::vector<Counter> ports;  ///< by mlx5's names; of a port "node0.nic0", then of its queue pairs
};

/// What a file lacks as it became as large as it may.
struct LeftOut {
  std::string file, what;  ///< "packets"
  Count left_out = 0, of = 0;
};

/// A name and a content.
using Files = std::vector<std::pair<std::string, std::string>>;

/// What all take.
struct Options {
  static constexpr Bytes standard_limit = 64_MiB;
  Bytes limit = standard_limit;             ///< of each file
  std::optional<Picoseconds> interval{};    ///< between samples; left out: as each thinks fit
  std::string signals{};                    ///< of the VCD: patterns with commas between them; empty: its own choice
};

/// A run in one format. It is bounded: what comes when its file is full is counted, and left out. Equal runs give equal
/// bytes: what may differ from one to the next (wall time, the program's version) stands in none.
class Exporter {
 public:
  virtual ~Exporter() = default;
  /// Starts afresh, and notes what is announced from now on. A run may be repeated to be explained: the last one counts.
  virtual void listen(const Probes& probes) = 0;
  /// How long after each sample it wants the next; 0: none.
  virtual Picoseconds interval() const { return {}; }
  /// Whether its samples tell how busy resources were, which is dear to ask; else that part of them is 0.
  virtual bool wants_busy() const { return true; }
  virtual void sample(const Sample&) {}
  /// No more comes. Once, after a run that came to an end, got stuck or broke off.
  virtual void finish(const Outcome& outcome) = 0;
  /// After `finish`; handed over, not copied.
  virtual Files files() = 0;
  virtual std::vector<LeftOut> left_out() const { return {}; }
};

}  // namespace gicsim::exports
