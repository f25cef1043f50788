// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/quantiles.h"
#include "models/units/bytes.h"
#include "scenarios/report/finished.h"
#include "traces/schedule/source.h"

namespace gicsim::report {

/// Times of many things, in ps.
struct Spread {
  std::string what;  ///< "completion"
  Quantiles ps;
};

/// Simulated over captured, of the messages of one class of sizes.
struct Ratio {
  Bytes from, to;    ///< to: not included
  Quantiles ppm;     ///< millionths
};

struct ReplayRank {
  std::string where;  ///< "node0.gpu1"
  std::string host;   ///< as the trace names it; may be empty
  Count messages = 0;
  Bytes sent;
  Picoseconds compute{}, ended{};
};

/// What a replay hands to whoever prints it: plain values.
struct Replay {
  std::string version;
  std::vector<std::string> files;
  std::string format, system, path, start;
  std::vector<std::string> read;   ///< what was read, in words
  std::vector<std::string> notes;  ///< what the reader assumed, what the system is
  std::vector<schedule::Unused> unused;
  Count seed = 1;
  Status status = Status::done;
  std::optional<Diagnosis> diagnosis;
  Count steps = 0, calcs = 0, messages = 0;
  Bytes bytes;
  Picoseconds makespan{};
  std::optional<Picoseconds> captured;  ///< the same of the trace
  Rows path_rows;      ///< of the chain of steps that ended last: adds up to the makespan
  Rows message_rows;   ///< of all messages, summed
  std::vector<Spread> spreads;
  std::vector<Ratio> ratios;
  std::optional<Bound> bound_by;
  std::string busiest;         ///< of all resources
  double busiest_share = 0;    ///< of the time
  std::vector<ReplayRank> ranks;
  std::vector<Counter> counters;
  std::vector<std::string> warnings;
  Provenances provenance;
  double wall_seconds = 0;
  Count events = 0;
};

std::string text(const Replay& replay);
/// gicsim.replay/1
std::string json(const Replay& replay);

}  // namespace gicsim::report
