// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/compare/deviations.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/validate/compare/fake.h"

using namespace gicsim;
using namespace gicsim::compare;

namespace {

/// Table t: "a" misses by +50 %, "b" is near, "n" is a note that misses.
Comparison comparison() {
  Table fit;
  fit.id = "t";
  fit.use = Use::fit;
  fit.rows = {{"a", "issue", "us", 1.5, 1, 0.5, {}}, {"b", "issue", "us", 1.02, 1, 0.02, {}}};
  fit.mape = 0.26;
  Table note = fit;
  note.use = Use::note;
  note.rows = {{"n", "issue", "us", 3, 1, 2, {}}};
  return {{fit, note}, 3};
}

Deviation line(std::string label, double error, std::string cause = "known",
               std::string table = "t") {
  return {std::move(table), std::move(label), error, std::move(cause), {"DEVIATIONS.md", 7, 1}};
}

}  // namespace

TEST_CASE("deviations: strict fails on a miss without a line, on tolerance, on a failed run") {
  Comparison got = comparison();
  REQUIRE(strict_failures(got, {}).size() == 1);
  CHECK(strict_failures(got, {})[0] == "t, a: +50.0 % and not in DEVIATIONS.md");
  CHECK(strict_failures(got, {line("a", 0.5)}).empty());
  got.tables[0].tolerance = 0.05;
  got.tables[0].not_expressed.push_back({"c", "the run ended stuck", true});
  CHECK(strict_failures(got, {line("a", 0.5)}).size() == 2);
}

TEST_CASE("deviations: a line is stale when its miss closed, moved, went or has no cause") {
  const Comparison got = comparison();
  CHECK(stale_lines(got, {line("a", 0.515)}).empty());
  CHECK(stale_lines(got, {line("x", 0.5, "known", "another table")}).empty());
  for (const auto& [stale, said] :
       {std::pair{line("a", 0.53), "moved from +53.0 % to +50.0 %"},
        std::pair{line("b", 0.2), "no miss any more"}, std::pair{line("gone", 0.2), "is no figure"},
        std::pair{line("a", 0.5, "?"), "says no cause"}}) {
    const auto lines = stale_lines(got, {stale});
    REQUIRE(lines.size() == 1);
    CAPTURE(lines[0]);
    CHECK(lines[0].find(said) != std::string::npos);
    CHECK(lines[0].find("DEVIATIONS.md:7:1") == 0);
  }
}

TEST_CASE("deviations: what is printed is read back, with the causes kept") {
  const auto file = std::filesystem::temp_directory_path() / "gicsim_deviations_test.md";
  std::ofstream(file) << "# Known misses\n\n"
                      << deviations_table(comparison(), {line("a", 0.4, "a cause")});
  const auto read = load_deviations(file.string());
  REQUIRE(read.size() == 1);
  CHECK(read[0].label == "a");
  CHECK(read[0].error == doctest::Approx(0.5));
  CHECK(read[0].cause == "a cause");
  std::ofstream(file) << "| t | a | 1 | 2 | much | why |\n| t | a |\n";
  try {
    load_deviations(file.string());
    FAIL("nothing thrown");
  } catch (const ConfigError& error) {
    CHECK(error.mistakes().size() == 2);
  }
  std::filesystem::remove(file);
  CHECK(load_deviations(file.string()).empty());
}
