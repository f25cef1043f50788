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

namespace gicsim::report {

/// Requests of one kind by one requester, where the trace saw them first.
struct TlpClass {
  std::string link, direction, requester;  ///< "node0.nic0_pcie", "up", "0x0002"
  std::string by;                          ///< who made them: "node0.nic0"
  std::string type;                        ///< "MRd"
  bool posted = false;
  Count n = 0, failed = 0, captured_failed = 0;
  Bytes bytes;
  Quantiles captured, simulated;  ///< ps until the last of the answer; of posted ones until the last link
  Quantiles late;                 ///< ps that they began after their time in the trace
};

struct TlpLink {
  std::string link, direction, as;  ///< as: the machine's name for it
  Count captured_tlps = 0, tlps = 0;
  Bytes captured_payload, payload;
  double busy = 0;  ///< of the time, 0 .. 1
};

/// What a replay of PCIe traffic hands to whoever prints it: plain values.
struct TlpReplay {
  std::string version;
  std::vector<std::string> files, notes;
  std::string format, system, start;
  std::vector<std::pair<std::string, Count>> unused;    ///< TLPs of the trace, why and how many
  std::vector<std::pair<std::string, Count>> failures;  ///< of the replay, how and where
  Count seed = 1;
  Status status = Status::done;
  std::optional<Diagnosis> diagnosis;
  Count requests = 0, unanswered = 0;  ///< unanswered: in the trace
  Picoseconds captured{}, makespan{};
  Rows path_rows;  ///< of the chain that led to the last TLP: adds up to the makespan
  std::vector<TlpClass> classes;
  std::vector<TlpLink> links;
  std::optional<Bound> bound_by;
  std::string busiest;
  double busiest_share = 0;
  std::vector<Counter> counters;
  std::vector<std::string> warnings;
  Provenances provenance;
  double wall_seconds = 0;
  Count events = 0;
};

std::string text(const TlpReplay& replay);
/// gicsim.tlp_replay/1
std::string json(const TlpReplay& replay);

}  // namespace gicsim::report
