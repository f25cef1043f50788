// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/reference/map.h"
#include "tests/support/files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace gicsim;
using namespace gicsim::reference;

namespace {

/// One table of two rows, one set of two figures, and a folder for the maps of a test.
struct Fixture {
  Fixture() {
    folder = std::filesystem::temp_directory_path() / ("gicsim_maps_" + std::to_string(rand()));
    std::filesystem::create_directories(folder);
    Dataset table;
    table.id = "t";
    table.unit = "us";
    table.whole = Use::fit;
    table.columns = {"what", "a", "b"};
    table.rows = {{{"one", {}, {}, {}}, {"1", 1.0, {}, {}}, {"2", 2.0, {}, {}}},
                  {{"two", {}, {}, {}}, {"3", 3.0, {}, {}}, {"", {}, {}, {}}}};
    Dataset figures;
    figures.id = "f";
    figures.unit = "various";
    figures.whole = Use::check;
    figures.scalars = {{"k", {"0.5", 0.5, {}, {}}}, {"range", {"1 2", {}, {}, {}}}};
    datasets = {table, figures};
  }
  ~Fixture() { std::filesystem::remove_all(folder); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
  }
  Maps load() const { return load_maps(folder.string(), datasets); }
  std::string mistakes() const {
    try {
      load();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
  std::filesystem::path folder;
  std::vector<Dataset> datasets;
};

const std::string no_f = "none: [{why: later, tables: [f]}]\n";

}  // namespace

TEST_CASE("maps: a cell's scenario is defaults, then column, then row") {
  Fixture f;
  f.write("no.yaml", no_f);
  f.write("t.yaml",
          "table: t\ntolerance: {fit: 5 %}\ndefaults: {system: s, path: gpu_direct, bytes: 8 B}\n"
          "columns: {a: {quantity: issue, path: cpu_proxy, set: {x.y: 1 ns}}, b: {quantity: rtt}}\n"
          "rows: [{row: 0, bytes: 16 B}, {row: 1, set: {x.z: 2}}]\n");
  const Maps maps = f.load();
  REQUIRE(maps.maps.size() == 1);
  const Map& map = maps.maps[0];
  CHECK(map.tolerance_fit == doctest::Approx(0.05));
  REQUIRE(map.expressed.size() == 3);  // the cell that isn't reported is no figure
  const Expressed& first = map.expressed[0];
  CHECK(first.spot.label == "one: a");
  CHECK(first.quantity == "issue");
  CHECK(first.scale == 1000);
  REQUIRE(first.expression.terms.size() == 1);
  CHECK(to_scenario_text(first.expression.terms[0].run) ==
        "bytes: 16 B\npath: cpu_proxy\nsystem: s\nset:\n  x.y: 1 ns\n");
  CHECK(map.expressed[2].expression.terms[0].run.set.size() == 2);
  CHECK(maps.none.size() == 1);
}

TEST_CASE("maps: sums, firsts and clock fits") {
  Fixture f;
  f.write("no.yaml", "none: [{why: later, tables: t}]\n");
  f.write("f.yaml",
          "table: f\ndefaults: {system: s, quantity: issue, unit: us}\n"
          "keys: [{key: k, sum: [{bytes: 2 B}, {times: -1, bytes: 1 B, quantity: rtt}]}]\n"
          "not_expressed: [{key: range, why: a range}]\n");
  const Maps maps = f.load();
  const auto& terms = maps.maps[0].expressed[0].expression.terms;
  REQUIRE(terms.size() == 2);
  CHECK(terms[0].times == 1);
  CHECK(terms[1].times == -1);
  CHECK(terms[1].quantity == Quantity::rtt);
  CHECK(terms[1].run.key("bytes") == "1 B");
  CHECK(maps.maps[0].not_expressed[0].why == "a range");
}

TEST_CASE(
    "maps: a figure that is neither expressed nor excused is a mistake, and so is an idle excuse") {
  Fixture f;
  f.write("no.yaml", no_f);
  f.write("t.yaml",
          "table: t\ndefaults: {system: s}\ncolumns: {a: {quantity: issue}}\nrows: [{row: 0}, "
          "{row: 1}]\n"
          "not_expressed: [{row: 1, column: b, why: x}]\n");
  const std::string said = f.mistakes();
  CHECK(said.find("one: b: neither expressed nor excused") != std::string::npos);
  CHECK(said.find("excuses no figure of t") != std::string::npos);
}

TEST_CASE("maps: columns that are settings make a row's label, and are no figures") {
  Fixture f;
  f.write("no.yaml", no_f);
  f.write(
      "t.yaml",
      "table: t\nsettings: [a]\ncolumns: {b: {quantity: issue, system: s}}\nrows: [{row: 0}]\n");
  const Maps maps = f.load();
  REQUIRE(maps.maps[0].expressed.size() == 1);
  CHECK(maps.maps[0].expressed[0].spot.label == "what one, a 1: b");
}

TEST_CASE("maps: wrong names, units and words are all said at once") {
  Fixture f;
  f.write("t.yaml",
          "table: t\ndefaults: {system: s}\ncolumns: {a: {quantity: isue}, c: {quantity: issue}}\n"
          "rows: [{row: 0}, {row: 9}]\nnot_expressed: [{column: b, why: x}, {row: 1, why: ''}]\n");
  f.write("f.yaml",
          "table: f\nkeys: [{key: k, system: s, quantity: issue}, {key: range, system: s, "
          "quantity: rtt}]\n");
  const std::string said = f.mistakes();
  for (const char* part :
       {"'isue' is no quantity", "no column 'c'", "no such row", "doesn't say why",
        "can't be held against 'various'", "is no number other than zero"}) {
    CAPTURE(part);
    CHECK(said.find(part) != std::string::npos);
  }
}

TEST_CASE(
    "maps: the published datasets are each mapped or listed, each figure expressed or excused") {
  const std::string base = source_root() + "/validate/reference/";
  const auto sets = load_datasets(base + "measurements.yaml");
  const Maps maps = load_maps(base + "maps", sets);  // throws otherwise
  CHECK(maps.maps.size() + maps.none.size() == sets.size());
  std::size_t figures = 0;
  for (const Map& map : maps.maps) {
    const auto spots = spots_of(*find(sets, map.table));
    const auto settings = std::count_if(spots.begin(), spots.end(), [&](const Spot& spot) {
      return std::count(map.settings.begin(), map.settings.end(), spot.column) > 0;
    });
    CHECK(map.expressed.size() + map.not_expressed.size() + static_cast<std::size_t>(settings) ==
          spots.size());
    figures += map.expressed.size();
  }
  CHECK(figures >= 130);
}
