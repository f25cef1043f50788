// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/evidence/evidence.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace gicsim;
using namespace gicsim::evidence;
using doctest::Approx;

namespace {

compare::Row row(double error, const std::string& path) {
  return {"r",
          "issue",
          "us",
          1 + error,
          1,
          error,
          {{{"system", "s"}, {"pattern", "put"}, {"path", path}}, {}}};
}

compare::Comparison comparison() {
  compare::Table table;
  table.id = "t";
  table.use = compare::Use::fit;
  table.rows = {row(0.1, "gpu_direct"), row(-0.2, "gpu_direct"), row(0.5, "cpu_proxy")};
  compare::Table note = table;
  note.use = compare::Use::note;
  return {{table, note}, 3};
}

}  // namespace

TEST_CASE("evidence: figures are gathered by system, pattern, path, table and use") {
  const auto entries = gather(comparison());
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].n == 2);
  CHECK(entries[0].mape == Approx(0.15));
  CHECK(entries[0].worst == Approx(-0.2));
}

TEST_CASE("evidence: what is written is read back, and differences are named") {
  auto entries = gather(comparison());
  const auto file = std::filesystem::temp_directory_path() / "gicsim_evidence_test.yaml";
  std::ofstream(file) << to_yaml(entries);
  const auto read = load(file.string());
  CHECK(differences(read, entries).empty());
  entries[0].mape += 0.01;
  entries.pop_back();
  CHECK(differences(read, entries) ==
        std::vector<std::string>{"put by gpu_direct on s, t (fit) has changed",
                                 "put by cpu_proxy on s, t (fit) is no longer compared"});
  std::ofstream(file) << "entries: [{system: s, n: many}]\n";
  try {
    load(file.string());
    FAIL("nothing thrown");
  } catch (const ConfigError& error) {
    CHECK(error.mistakes().size() == 7);
  }
  std::filesystem::remove(file);
}

TEST_CASE("evidence: a report says what is known of its kind, or that nothing is") {
  report::Finished finished;
  finished.system = "s";
  finished.results.emplace_back();
  CHECK(
      lines_for(finished, gather(comparison())) ==
      std::vector<std::string>{"put by gpu_direct on s, t (fit): n 2, MAPE 15.0 %, worst -20.0 %"});
  finished.system = "z";
  CHECK(lines_for(finished, gather(comparison()))[0] ==
        "put by gpu_direct on z: no published figure to hold it against");
}
