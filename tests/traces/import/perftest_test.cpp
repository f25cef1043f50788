// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/traces/import/support.h"

namespace gicsim::imports {
namespace {

TEST_CASE("import: perftest's write latency is half of a ping-pong's round trip") {
  const Result result = import(sample("perftest_write_lat.txt"));
  CHECK(result.wrong == "");
  CHECK(result.imported.format == "perftest");
  REQUIRE(result.records.size() == 3);
  const Record& r = result.records[1];
  CHECK(r.origin == Origin::measured);
  CHECK(r.system == "lab");
  CHECK(r.pattern == Pattern::ping_pong);
  CHECK(r.path == Path::cpu_post);
  CHECK(r.quantity == Quantity::one_way);
  CHECK(r.value == doctest::Approx(1260));
  CHECK(*r.p50 == r.value);
  CHECK(*r.p99 == doctest::Approx(1450));
  CHECK(*r.min == doctest::Approx(1230));
  CHECK(*r.max == doctest::Approx(4100));
  CHECK(r.n == 1000);
  CHECK(r.source == "perftest RDMA_Write, t_typical in usec, half of the round trip");
  CHECK(where(r) == "bytes=8 qps=1 connection=RC tx_depth=1 mtu=4096 link=IB max_inline=220 memory=host");
  CHECK(result.left("warnings") == 1);
  CHECK(result.left("t_avg") == 3);
  CHECK(result.left("t_stdev") == 3);
  CHECK(result.left("99.9% percentile") == 3);
}

TEST_CASE("import: perftest's reads and atomics are whole operations; -D has a mean alone") {
  const Result atomic = import(sample("perftest_atomic_lat.txt"));
  REQUIRE(atomic.records.size() == 1);
  CHECK(atomic.records[0].pattern == Pattern::atomic);
  CHECK(atomic.records[0].quantity == Quantity::completion);
  CHECK(holds(where(atomic.records[0]), "bytes=8 atomic=fetch_add qps=1"));
  const Result read = import(sample("perftest_read_lat_duration.txt"));
  REQUIRE(read.records.size() == 1);
  CHECK(read.records[0].pattern == Pattern::get);
  CHECK(read.records[0].quantity == Quantity::completion);
  CHECK(read.records[0].value == doctest::Approx(2140));
  CHECK_FALSE(read.records[0].p50.has_value());
  CHECK(read.records[0].n == 9348012);
  CHECK(read.left("tps average") == 1);
}

TEST_CASE("import: perftest's MB/sec and MiB/sec are 2^20 B/s, Gb/sec 10^9 bit/s") {
  const std::string text = sample("perftest_write_bw_gpu.txt");
  const Result mb = import(text);
  REQUIRE(mb.records.size() == 4);
  CHECK(mb.records[2].quantity == Quantity::bandwidth);
  CHECK(mb.records[2].pattern == Pattern::put_bw);
  CHECK(mb.records[2].value == doctest::Approx(23498.74 * 1048576e-9));
  CHECK(*mb.records[2].max == doctest::Approx(23512.11 * 1048576e-9));
  CHECK_FALSE(mb.records[0].max.has_value());  // a peak of 0 wasn't measured
  CHECK(mb.records[3].quantity == Quantity::message_rate);
  CHECK(mb.records[3].value == 0.375980);
  CHECK(holds(where(mb.records[2]), "bytes=65536 verb=put"));
  CHECK(holds(where(mb.records[2]), "memory=gpu"));
  std::string newer = text;
  for (std::size_t at = 0; (at = newer.find("MB/sec", at)) != newer.npos;) newer.replace(at, 6, "MiB/sec");
  CHECK(import(newer).records.at(2).value == mb.records[2].value);
  const Result gbits = import(sample("perftest_read_bw_gbits.txt"));
  REQUIRE(gbits.records.size() == 2);
  CHECK(gbits.records[0].value == doctest::Approx(197.30 / 8));
  CHECK(holds(where(gbits.records[0]), "verb=get"));
  CHECK(holds(where(gbits.records[0]), "memory=host"));
}

TEST_CASE("import: of a GPU's run and a CPU's behind it, each keeps its memory") {
  const Result both = import(sample("perftest_write_bw_gpu.txt") + sample("perftest_write_lat.txt"));
  CHECK(both.wrong == "");
  REQUIRE(both.records.size() == 7);
  CHECK(holds(where(both.records[3]), "memory=gpu"));
  CHECK(holds(where(both.records[4]), "memory=host"));
  const Result other = import(sample("perftest_write_lat.txt") + sample("perftest_write_bw_gpu.txt"));
  CHECK(holds(where(other.records.at(0)), "memory=host"));
  CHECK(holds(where(other.records.at(3)), "memory=gpu"));
}

TEST_CASE("import: perftest's JSON, and what older versions took for it") {
  const Result old = import(sample("perftest_write_lat_old.json"));
  CHECK(old.wrong == "");
  CHECK(old.imported.format == "perftest JSON");
  REQUIRE(old.records.size() == 1);
  CHECK(old.records[0].pattern == Pattern::ping_pong);
  CHECK(old.records[0].value == doctest::Approx(3180));
  CHECK(*old.records[0].p99 == doctest::Approx(3410));
  CHECK(where(old.records[0]) ==
        "bytes=128 qps=1 connection=RC tx_depth=1 mtu=1024 link=Ethernet max_inline=0 memory=host");
  CHECK(old.left("percentile_99.9") == 1);
  const Result bw = import(sample("perftest_send_bw.json"));
  CHECK(bw.wrong == "");
  REQUIRE(bw.records.size() == 2);
  CHECK(bw.records[0].pattern == Pattern::send);
  CHECK(bw.records[0].value == doctest::Approx(388.42 / 8));  // 65536 B x 0.740852 M/s is 48.55 GB/s: gigabits
  CHECK(holds(where(bw.records[0]), "bidirectional=yes qps=2"));
  std::string mebi = sample("perftest_send_bw.json");
  mebi.replace(mebi.find("388.42"), 6, "46303.3");
  CHECK(import(mebi).records.at(0).value == doctest::Approx(46303.3 * 1048576e-9));
  mebi.replace(mebi.find("46303.3"), 7, "4.2");
  CHECK(import(mebi).left("a unit that isn't told") == 1);
}

TEST_CASE("import: a table of perftest without its title wants to know the test") {
  std::string text = sample("perftest_write_lat.txt");
  text = text.substr(text.find(" #bytes"));
  const Result result = import(text);
  CHECK(holds(result.wrong, "f.txt:3:1: which test is this?"));
  CHECK(holds(result.wrong, "--pattern ping_pong"));
  const Result told = import(text, {"lab", Pattern::get, Path::gpu_direct});
  REQUIRE(told.records.size() == 3);
  CHECK(told.records[0].pattern == Pattern::get);
  CHECK(told.records[0].path == Path::gpu_direct);
}

}  // namespace
}  // namespace gicsim::imports
