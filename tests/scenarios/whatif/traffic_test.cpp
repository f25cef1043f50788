// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Every TLP and packet of one put. What travels is what hardware sends, not what a figure needs:
// a line here changes only with the path itself.
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

/// Link, type and length, in order of sending; times belong to the ledger.
std::string traffic(const Sets& sets, const char* system = "h200_cx7_ib") {
  std::string lines;
  for (const std::string& line : whatif::traffic(scenario(sets, system)))
    lines += line.substr(0, line.find(" at ")) + "\n";
  return lines;
}

TEST_CASE("placeholder") {
  for (const Sets& s : {Sets{}, Sets{{"payload", "read"}}, Sets{{"queues", "host"}}, Sets{{"path", "cpu_proxy"}}})
    MESSAGE(traffic(s));
  MESSAGE(traffic({{"queues", "gpu"}}, "gb200_cx7_ib"));
  MESSAGE(traffic({{"bytes", "5000 B"}}));
}

}  // namespace
}  // namespace gicsim
