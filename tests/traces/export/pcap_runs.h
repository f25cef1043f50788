// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

#include "models/link/wire.h"
#include "scenarios/schema/load.h"
#include "scenarios/whatif/run.h"
#include "tests/support/files.h"
#include "tests/traces/export/pcap_support.h"
#include "traces/export/packets.h"

namespace gicsim::exports {

using Sets = std::vector<schema::Override>;

/// A run and the file of its packets.
struct PcapRun {
  report::Finished run;
  std::string name, file;
  std::vector<LeftOut> left_out;
};

inline schema::Scenario scenario(const std::string& name, Sets sets, bool infiniband) {
  sets.push_back({"link.protocol", infiniband ? "infiniband" : "rocev2"});
  return schema::load_scenario(name, sets, source_root());
}

inline PcapRun pcap_run(const schema::Scenario& of, Bytes limit = Options::standard_limit) {
  PcapWriter writer(Options{limit});
  PcapRun result;
  result.run = whatif::run_scenario(of, {.gain = false, .exporters = {&writer}});
  auto files = writer.files();
  REQUIRE(files.size() == 1);
  result.name = files[0].first, result.file = std::move(files[0].second);
  result.left_out = writer.left_out();
  return result;
}
inline PcapRun pcap_run(const std::string& name, const Sets& sets, bool infiniband, Bytes limit = Options::standard_limit) {
  return pcap_run(scenario(name, sets, infiniband), limit);
}

/// What each packet of a kind must show itself in.
struct Case {
  const char* name;
  Sets sets;
  bool only_rocev2 = false;
};
/// Everything that travels: puts, READs, atomics, SENDs that find no receive, loss and NAKs, datagrams, immediates, marks and
/// CNPs, pauses, DC.
inline const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"put_64KiB", {{"iterations", "5"}}},
      {"put_signal_8B", {{"iterations", "5"}}},
      {"get_64KiB", {{"iterations", "5"}}},
      {"atomic_8B", {{"iterations", "5"}}},
      {"send_8B", {{"iterations", "5"}, {"bytes", "64 B"}}},  // of up to 12 B tshark guesses, see docs/export.md
      {"rnr_for_ever", {}},
      {"wrong_rkey", {}},
      {"put_signal_immediate", {{"iterations", "5"}}},
      {"put_bw_lossy_1percent", {{"iterations", "100"}}},
      {"put_bw_lossy_1percent_selective", {{"iterations", "100"}}},
      {"send_8B_ud", {{"iterations", "5"}}},
      {"put_8B_dc", {{"iterations", "5"}}},
      {"incast_16_dcqcn",
       {{"system.nodes", "7"}, {"iterations", "4"}, {"warmup", "2"}, {"ecn.kmin", "8 KiB"}, {"ecn.kmax", "64 KiB"}},
       true},
      {"incast_16_pfc", {{"system.nodes", "7"}, {"iterations", "6"}, {"warmup", "2"}}, true},
  };
  return all;
}

}  // namespace gicsim::exports
