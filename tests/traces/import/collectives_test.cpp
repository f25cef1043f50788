// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/traces/import/support.h"

namespace gicsim::imports {
namespace {

TEST_CASE("import: nccl-tests' rows have two halves; N/A, noise and wrong results are counted") {
  const Result result = import(sample("nccl_tests_all_reduce.txt"));
  CHECK(result.wrong == "");
  CHECK(result.imported.format == "nccl-tests");
  REQUIRE(result.records.size() == 11);  // 2 latencies of 8 B, 6 figures of 32 KiB, 3 of 128 MiB
  const Record& r = result.records[2];
  CHECK(r.pattern == Pattern::all_reduce);
  CHECK(r.path == Path::cpu_proxy);
  CHECK(r.quantity == Quantity::latency);
  CHECK(r.value == doctest::Approx(13920));
  CHECK(r.n == 20);
  CHECK(where(r) == "bytes=32768 ranks=2 type=float redop=sum placement=out_of_place memory=gpu");
  CHECK(holds(r.source, "nccl-tests 2.17.6 all_reduce_perf, mean time in us"));
  CHECK(result.records[3].quantity == Quantity::bandwidth);
  CHECK(result.records[3].value == 2.35);
  CHECK(result.records[4].quantity == Quantity::bus_bandwidth);
  CHECK(holds(where(result.records[7]), "placement=in_place"));
  CHECK(result.records[9].value == 216.34);
  CHECK(result.left("wasn't checked") == 2);
  CHECK(result.left("result was wrong") == 1);
  CHECK(result.left("NCCL's log") == 1);
  CHECK(result.left("of 0: below") == 4);
}

TEST_CASE("import: nccl-tests with -I and -S, its collective from the command line above") {
  const Result result = import(sample("nccl_tests_alltoall_per_iteration.txt"));
  CHECK(result.wrong == "");
  REQUIRE(result.records.size() == 6);
  const Record& r = result.records[0];
  CHECK(r.pattern == Pattern::all_to_all);
  CHECK(*r.min == doctest::Approx(49800));
  CHECK(*r.max == doctest::Approx(58310));
  CHECK(*r.p99 == doctest::Approx(58310));
  CHECK(where(r) == "bytes=1048576 ranks=2 type=float placement=out_of_place memory=gpu");
  CHECK(result.left("i_cv%") == 2);
  std::string unnamed = sample("nccl_tests_alltoall_per_iteration.txt");
  unnamed.erase(0, unnamed.find('\n') + 1);
  CHECK(holds(import(unnamed).wrong, "f.txt:10:1: which collective is this?"));
  CHECK(import(unnamed, {"lab", Pattern::all_gather, {}}).records.at(0).pattern == Pattern::all_gather);
}

TEST_CASE("import: nccl-tests of before root and redop were printed") {
  const Result result = import(
      "./broadcast_perf -b 8 -e 128M -f 2 -g 2\n"
      "# nThread 1 nGpus 2 minBytes 8 maxBytes 134217728 step: 2(factor) warmup iters: 5 iters: 20 validation: 1\n"
      "#                                             out-of-place                    in-place\n"
      "#       size         count    type     time   algbw   busbw  error     time   algbw   busbw  error\n"
      "#        (B)    (elements)             (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n"
      "       65536          8192   float    16.00    4.10    4.10  0e+00    13.00    5.04    5.04  0e+00\n");
  CHECK(result.wrong == "");
  REQUIRE(result.records.size() == 6);
  CHECK(result.records[0].pattern == Pattern::broadcast);
  CHECK(where(result.records[0]) == "bytes=65536 type=float placement=out_of_place memory=gpu");
}

TEST_CASE("import: nccl-tests -J") {
  const Result result = import(sample("nccl_tests.json"));
  CHECK(result.wrong == "");
  CHECK(result.imported.format == "nccl-tests JSON");
  REQUIRE(result.records.size() == 9);
  CHECK(result.records[0].pattern == Pattern::all_gather);
  CHECK(result.records[0].value == doctest::Approx(21300));
  CHECK(result.records[2].value == 24.614460);
  CHECK(where(result.records[0]) == "bytes=1048576 ranks=2 type=float placement=out_of_place memory=gpu");
  CHECK(result.left("nwrong null") == 1);
  CHECK(result.left("out_of_place: not measured") == 1);
}

TEST_CASE("import: NVSHMEM's tables: a put with its quiet, bandwidth in 10^9 B/s, message rate") {
  const Result put = import(sample("nvshmem_put_latency.txt"));
  CHECK(put.wrong == "");
  CHECK(put.imported.format == "nvshmem perftest");
  REQUIRE(put.records.size() == 4);
  CHECK(put.records[0].pattern == Pattern::put);
  CHECK(put.records[0].path == Path::gpu_direct);
  CHECK(put.records[0].quantity == Quantity::put_completion);
  CHECK(put.records[0].value == doctest::Approx(5411.2));
  CHECK(put.records[0].n == 500);
  CHECK(where(put.records[3]) == "bytes=4194304 test=shmem_put_latency scope=Warp memory=gpu");
  CHECK(put.records[0].source == "nvshmem shmem_put_latency, mean in us, whole operation");
  const Result bw = import(sample("nvshmem_put_bw.txt"));
  REQUIRE(bw.records.size() == 3);
  CHECK(bw.records[1].quantity == Quantity::bandwidth);
  CHECK(bw.records[1].value == 24.310664);
  CHECK(bw.records[2].quantity == Quantity::message_rate);
  CHECK(where(bw.records[0]) == "bytes=1024 test=shmem_put_bw_uni verb=put ctas=128 threads_per_cta=1024 memory=gpu");
}

TEST_CASE("import: NVSHMEM's collectives and machine-readable lines") {
  const Result host = import(sample("nvshmem_reduction_on_stream.txt"));
  CHECK(host.wrong == "");
  REQUIRE(host.records.size() == 6);
  CHECK(host.records[0].pattern == Pattern::all_reduce);
  CHECK(host.records[0].quantity == Quantity::latency);
  CHECK(*host.records[0].min == doctest::Approx(8012));
  CHECK(*host.records[0].max == doctest::Approx(8250));
  CHECK(host.records[4].value == 0.061);
  CHECK(where(host.records[0]) == "bytes=8 test=reduction_on_stream type=int redop=sum issue=on_stream memory=gpu");
  const Result machine = import(sample("nvshmem_machine.txt"));
  CHECK(machine.wrong == "");
  REQUIRE(machine.records.size() == 5);
  CHECK(machine.records[1].value == doctest::Approx(4310.016));
  CHECK(holds(where(machine.records[1]), "scope=Warp"));
  CHECK(machine.records[2].value == 23.80416);
  CHECK(machine.records[3].pattern == Pattern::all_gather);
  CHECK(holds(where(machine.records[3]), "scope=block type=32-bit"));
  CHECK(machine.records[4].pattern == Pattern::get);
  CHECK(*machine.records[4].max == doctest::Approx(6402));
  CHECK(import("#barrier_device\nsize(B)     scope     latency (us)    \n256         block     4.100000\n")
            .records.at(0)
            .where[0] == std::pair<std::string, Record::Plain>("threads", std::int64_t{256}));
}

TEST_CASE("import: a test of NVSHMEM that isn't known is said") {
  const Result result = import("#Latency\nsize(B)     scope     latency (us)    \n8           None      4.100000\n");
  CHECK(holds(result.wrong, "f.txt: no result in it that can be used (nvshmem perftest)"));
  CHECK(holds(result.wrong, "test 'Latency' isn't known here"));
}

}  // namespace
}  // namespace gicsim::imports
