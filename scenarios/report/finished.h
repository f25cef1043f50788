// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/source.h"
#include "models/units/time.h"
#include "traces/result/record.h"

/// What a run hands to whoever prints, compares or exports it: plain values, no models.
namespace gicsim::report {

struct Hop {
  std::string at;  ///< "node0.switch0", hierarchical name of link, switch or device
  Picoseconds time{};
};

/// One row of a stage ledger.
struct Row {
  std::string layer;  ///< "L1" .. "L5"
  std::string stage;  ///< "wqe_read"
  Picoseconds time{};
  Picoseconds waiting{};  ///< in a queue or for a credit, part of `time`
  std::vector<Hop> hops;  ///< split of `time`, in order; empty where it all happens at one place
};

using Rows = std::vector<Row>;

/// The rows' sum: exactly the figure that they explain.
inline Picoseconds total(const Rows& rows) {
  Picoseconds sum{};
  for (const Row& row : rows) sum += row.time;
  return sum;
}

/// What binds. Latency: the largest stage and its share of the total. Throughput: the busiest
/// resource of the measured window and its utilisation. `gain`: measured by a second run with
/// that resource twice as fast (fraction by which the headline improves); empty when not asked.
struct Bound {
  bool throughput = false;
  std::string resource;  ///< "L4.nic_tx" or "node0.nic0.link"
  double share = 0;      ///< share or utilisation, 0 .. 1
  std::optional<double> gain;
  std::string widened{};  ///< what the second run changed: "nic.tx halved"
  std::string behind{};   ///< a stage that mostly waits: the resource that it waits for
};

struct Counter {
  std::string module;  ///< "node0.nic0"
  std::string name;    ///< "doorbells"
  std::string sentence;
  std::string unit;  ///< "", "B", "ps"
  std::int64_t value = 0;
};

/// Why a run ended otherwise than done.
struct Diagnosis {
  std::string what;
  std::vector<std::string> waits_for;
  Picoseconds at{};
};

/// Who was busy in a node while the measured messages were under way. A core that works for a path
/// polls when it isn't busy; a GPU thread that neither issues nor waits has ended or not begun.
struct Share {
  std::string node;
  Count cores = 0;         ///< that work for the path
  double core_busy = 0;    ///< of their time, 0 .. 1
  Count gpu_threads = 0;
  double gpu_issuing = 0;  ///< of their time: stores, fences, library code
  double gpu_waiting = 0;  ///< of their time: polling
};

/// What one of several GPU-NIC pairs, or nodes, carried of a stream, and what it met.
struct FlowShare {
  std::string flow;  ///< "gpu0-nic1", "node3-node0"
  double bandwidth = 0;  ///< GB/s
  int priority = 0;
  Count resent = 0;              ///< packets sent again
  Count cnps = 0;                ///< congestion notifications received
  std::optional<double> lowest{};  ///< Gb/s: the least rate that congestion control held it to
};

/// 1 when all get the same, 1/n when one gets everything. Source: Jain, Chiu and Hawe, DEC-TR-301
double jain(const std::vector<FlowShare>& flows);

struct Provenances {
  std::int64_t count[9] = {};  ///< by Provenance
};

/// The scenario's own keys as they were resolved, in file order: {"bytes","8 B"}.
using Keys = std::vector<std::pair<std::string, std::string>>;

struct Finished {
  std::string version;   ///< of the program: "0.1.0+1a2b3c4d5e"
  std::string scenario;  ///< name of the file without suffix
  std::string about;
  std::string system;
  std::string system_about;
  std::vector<std::string> system_notes;  ///< printed on each report: "prediction ..."
  Keys keys;
  Count seed = 1;
  Status status = Status::done;
  Status expected = Status::done;
  Quantity headline = Quantity::put_completion;
  Picoseconds elapsed{};  ///< simulated, warm-up included
  std::vector<Record> results;
  Rows ledger;           ///< to the headline, of the representative message
  Rows delivery_path;    ///< to the flag seen at the far GPU (or the data visible there)
  Rows completion_path;  ///< to the poster's completion
  std::optional<Bound> bound_by;
  std::vector<Share> shares;  ///< of the nodes that took part
  std::vector<FlowShare> flows;  ///< if there are several
  bool flows_to_their_end = false;  ///< each one's bandwidth is until its own last message: there was no time when all went on
  std::vector<double> jain_by_ms;   ///< of what the flows sent in each millisecond, from the start until one has ended
  std::vector<Counter> counters;
  std::vector<Counter> ports;  ///< mlx5's: of a port "node0.nic0", then of its queue pairs "node0.nic0.qp1" ..
  Provenances provenance;
  std::vector<std::string> warnings;
  std::optional<Diagnosis> diagnosis;
  std::vector<std::string> evidence;  ///< lines on how far this kind of figure was from hardware
  // What may differ between equal runs: never part of report.json.
  double wall_seconds = 0;
  Count events = 0;
};

}  // namespace gicsim::report
