// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/traces/import/support.h"

namespace gicsim::imports {
namespace {

void survives(const char* name, Layout layout) {
  CAPTURE(name);
  const Result first = import(sample(name));
  REQUIRE(first.wrong == "");
  const Table table = to_table(first.records, layout);
  CAPTURE(table.text);
  CHECK(table.left.empty());
  const Result again = import(table.text);
  CHECK(again.wrong == "");
  CHECK(again.lines() == first.lines());
  CHECK(to_table(again.records, layout).text == table.text);
}

TEST_CASE("table: what was read from a tool's table gives a table that reads back the same") {
  for (const char* name : {"perftest_write_lat.txt", "perftest_atomic_lat.txt", "perftest_read_lat_duration.txt",
                           "perftest_write_bw_gpu.txt", "perftest_read_bw_gbits.txt", "perftest_write_lat_old.json",
                           "perftest_send_bw.json"})
    survives(name, Layout::perftest);
  for (const char* name : {"nvshmem_put_latency.txt", "nvshmem_put_bw.txt", "nvshmem_reduction_on_stream.txt"})
    survives(name, Layout::nvshmem);
  for (const char* name : {"nccl_tests_all_reduce.txt", "nccl_tests_alltoall_per_iteration.txt"})
    survives(name, Layout::nccl_tests);
}

Record simulated(Pattern pattern, Quantity quantity, double value) {
  Record record;
  record.system = "h200_cx7_ib";
  record.pattern = pattern;
  record.quantity = quantity;
  record.value = value;
  record.p50 = record.min = record.max = value;
  record.where = {{"bytes", std::int64_t{8}}, {"ordering", std::string("gpu_fence")}};
  record.n = 1000;
  return record;
}

TEST_CASE("table: a simulated ping-pong in perftest's layout is halved, and what has no place is said") {
  const Table table = to_table(
      {simulated(Pattern::ping_pong, Quantity::rtt, 7100), simulated(Pattern::put, Quantity::put_completion, 4030)},
      Layout::perftest);
  CHECK(holds(table.text, "RDMA_Write Latency Test"));
  CHECK(
      holds(table.text, " 8       1000          3.55           3.55         3.55        nan         nan         nan "));
  REQUIRE(table.left.size() == 2);
  CHECK(table.left[0].why == "ordering gpu_fence: no place in this layout");
  CHECK(table.left[1].why == "put_completion of put: no such figure in this layout");
  CHECK(table.left[1].line == 2);
  const Result back = import(table.text);
  REQUIRE(back.records.size() == 1);
  CHECK(back.records[0].value == doctest::Approx(3550));
}

TEST_CASE("table: a simulated put in NVSHMEM's layout") {
  const Table table = to_table({simulated(Pattern::put, Quantity::put_completion, 4030.125)}, Layout::nvshmem);
  CHECK(holds(table.text, "#shmem_put_latency\nsize(B)     scope     latency (us)    "));
  CHECK(holds(table.text,
              "\n8           Thread    4.030125          NA                4.030125          4.030125          NA"));
  CHECK(import(table.text).records.at(0).value == doctest::Approx(4030.125));
}

TEST_CASE("table: machines and settings don't share a table") {
  std::vector<Record> records = {simulated(Pattern::put, Quantity::put_completion, 4030),
                                 simulated(Pattern::put, Quantity::put_completion, 5030)};
  records[1].system = "gb200_cx7_ib";
  const std::string text = to_table(records, Layout::nvshmem).text;
  CHECK(text.find("#shmem_put_latency") != text.rfind("#shmem_put_latency"));
}

}  // namespace
}  // namespace gicsim::imports
