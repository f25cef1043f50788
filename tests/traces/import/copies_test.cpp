// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/traces/import/support.h"

namespace gicsim::imports {
namespace {

TEST_CASE("import: nvbandwidth's matrices, a latency's unit from its description") {
  const Result result = import(sample("nvbandwidth.txt"));
  CHECK(result.wrong == "");
  CHECK(result.imported.format == "nvbandwidth");
  REQUIRE(result.records.size() == 6);
  CHECK(result.records[1].pattern == Pattern::copy_engine);
  CHECK(result.records[1].path == Path::none);
  CHECK(result.records[1].value == 55.29);
  CHECK(
      where(result.records[1]) ==
      "test=host_to_device_memcpy_ce direction=h2d row=0 column=1 matrix=memcpy CE CPU(row) -> GPU(column) bandwidth");
  CHECK(holds(where(result.records[3]), "direction=d2d row=1 column=0"));
  CHECK(result.records[4].pattern == Pattern::host_load);
  CHECK(result.records[4].quantity == Quantity::latency);
  CHECK(result.records[4].value == 812.51);
  CHECK(holds(result.records[4].source, "nvbandwidth v0.8 host_device_latency_sm, one access in ns"));
  CHECK(result.left("not known ('N/A')") == 2);
  CHECK(result.left("SUM") == 3);
  CHECK(result.left("waived") == 1);
}

TEST_CASE("import: nvbandwidth -j, indented by tabs") {
  const Result result = import(sample("nvbandwidth.json"));
  CHECK(result.wrong == "");
  REQUIRE(result.records.size() == 1);
  CHECK(result.records[0].value == 52.77);
  CHECK(holds(where(result.records[0]), "test=device_to_host_memcpy_ce direction=d2h row=0 column=0"));
  CHECK(result.left("N/A") == 1);
  CHECK(result.left("waived") == 1);
}

TEST_CASE("import: gdrcopy times the CPU's call; pplat a round trip") {
  const Result lat = import(sample("gdrcopy_copylat.txt"));
  CHECK(lat.wrong == "");
  CHECK(lat.imported.format == "gdrcopy");
  REQUIRE(lat.records.size() == 4);
  CHECK(lat.records[0].quantity == Quantity::synced);
  CHECK_FALSE(lat.records[0].p50.has_value());
  CHECK(lat.records[2].pattern == Pattern::copy_engine);
  CHECK(lat.records[2].quantity == Quantity::issue);
  CHECK(lat.records[2].value == doctest::Approx(111));
  CHECK(*lat.records[2].min == doctest::Approx(108.5));
  CHECK(lat.records[2].n == 10000);
  CHECK(where(lat.records[2]) == "bytes=8 direction=h2d engine=cpu");
  CHECK(lat.records[3].quantity == Quantity::completion);
  CHECK(lat.records[3].n == 100);
  CHECK(lat.left("warnings") == 1);
  const Result bw = import(sample("gdrcopy_copybw.txt"));
  REQUIRE(bw.records.size() == 2);
  CHECK(bw.records[0].value == doctest::Approx(9638.54 * 1048576e-9));
  CHECK(where(bw.records[1]) == "bytes=131072 direction=d2h engine=cpu");
  const Result pp = import(sample("gdrcopy_pplat.txt"));
  REQUIRE(pp.records.size() == 1);
  CHECK(pp.records[0].quantity == Quantity::rtt);
  CHECK(pp.records[0].value == doctest::Approx(1081.72));
  CHECK(pp.records[0].n == 1000);
}

}  // namespace
}  // namespace gicsim::imports
