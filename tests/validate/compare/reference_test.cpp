// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// The models against all published figures that they can express.
#include <doctest/doctest.h>

#include <cstdlib>

#include "scenarios/whatif/run.h"
#include "validate/compare/deviations.h"
#include "validate/compare/print.h"
#include "validate/compare/simulator.h"
#include "validate/evidence/evidence.h"

using namespace gicsim;
using namespace gicsim::compare;

namespace {

std::string root() { return std::getenv("GICSIM_ROOT") ? std::getenv("GICSIM_ROOT") : "."; }

/// Run once for all cases below.
const Comparison& everything() {
  static const Comparison comparison = compare::compare(
      load_library(root()), {}, simulator(root(), [](const schema::Scenario& scenario) {
        return whatif::run_scenario(scenario, {.gain = false});
      }));
  return comparison;
}

double mape_of(const std::string& id) {
  for (const Table& table : everything().tables) {
    if (table.id == id && table.use == Use::fit && table.mape) return *table.mape;
  }
  return 1;
}

void none(const std::vector<std::string>& complaints) {
  for (const std::string& complaint : complaints) FAIL_CHECK(complaint);
}

}  // namespace

TEST_CASE(
    "reference: each miss beyond 10 % is known, and MAPE stays within each table's tolerance") {
  none(strict_failures(everything(), load_deviations(root() + "/DEVIATIONS.md")));
}

TEST_CASE("reference: each known miss is still there, of the size that is written down") {
  const auto known = load_deviations(root() + "/DEVIATIONS.md");
  const auto stale = stale_lines(everything(), known);
  none(stale);
  if (!stale.empty())
    MESSAGE("the table would now read\n" << deviations_table(everything(), known));
}

TEST_CASE("reference: Tables 3 and 4, which parameters are fitted on, within 5 %") {
  CHECK(mape_of("paper2610_t3_latency") <= 0.05);
  CHECK(mape_of("paper2610_t4_ordering") <= 0.05);
}

TEST_CASE("reference: the evidence that reports print is that of these models") {
  const auto now = evidence::gather(everything());
  const auto changed =
      evidence::differences(evidence::load(root() + "/validate/evidence/evidence.yaml"), now);
  none(changed);
  if (!changed.empty()) MESSAGE("the file would now read\n" << evidence::to_yaml(now));
}
