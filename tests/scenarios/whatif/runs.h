// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "scenarios/report/finished.h"
#include "scenarios/schema/load.h"
#include "scenarios/whatif/run.h"
#include "tests/support/files.h"

namespace gicsim {

using Sets = std::vector<schema::Override>;

inline Sets with(Sets sets, const Sets& more) {
  sets.insert(sets.end(), more.begin(), more.end());
  return sets;
}

inline constexpr const char* both_systems[] = {"h200_cx7_ib", "gb200_cx7_ib"};
inline constexpr const char* all_systems[] = {"h200_cx7_ib", "gb200_cx7_ib", "h200nvl_cx7_loopback", "a100_cx6_hdr",
                                              "h100_cx7_ib", "b200_cx7_roce"};

/// A scenario of few rounds, with what differs from an 8-byte put.
inline schema::Scenario scenario(const Sets& sets, const char* system = "h200_cx7_ib") {
  const Folder folder;
  return schema::load_scenario(
      folder.write("t.yaml", "system: " + std::string(system) + "\npattern: put\npath: gpu_direct\niterations: 20\n"),
      sets, source_root());
}

inline report::Finished simulate(const schema::Scenario& s, Kernel::Steps steps = Kernel::Steps::run_ahead) {
  return whatif::run_scenario(s, {.gain = false, .steps = steps});
}
inline report::Finished run(const Sets& sets, const char* system = "h200_cx7_ib") {
  return simulate(scenario(sets, system));
}

inline const Record& record(const report::Finished& f, Quantity quantity) {
  for (const Record& r : f.results)
    if (r.quantity == quantity) return r;
  FAIL("no record of " << to_name(quantity));
  return f.results.front();
}
/// A latency's median, exactly.
inline Picoseconds value(const report::Finished& f, Quantity quantity) {
  return Picoseconds{std::llround(record(f, quantity).value * 1000)};
}

/// "stage picoseconds" of each row.
inline std::string in_words(const report::Rows& rows) {
  std::string all;
  for (const report::Row& row : rows)
    all += (all.empty() ? "" : " ") + row.stage + " " + std::to_string(row.time.count());
  return all;
}

/// A ledger's stages: time and, of it, waiting.
using Stages = std::map<std::string, std::pair<Picoseconds, Picoseconds>>;
inline Stages stages(const report::Rows& rows) {
  Stages all;
  for (const report::Row& row : rows) {
    all[row.stage].first += row.time;
    all[row.stage].second += row.waiting;
  }
  return all;
}

}  // namespace gicsim
