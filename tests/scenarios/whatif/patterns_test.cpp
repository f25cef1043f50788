// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Get, atomic, put_signal, quiet, and streams of gets and atomics.
#include "scenarios/report/json.h"
#include "scenarios/report/sums.h"
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

/// "fence doorbell_issue ...": a ledger's stages in order.
std::string way(const report::Rows& rows) {
  std::string all;
  for (const report::Row& row : rows) all += (all.empty() ? "" : " ") + row.stage;
  return all;
}

/// "fence 509751 doorbell_issue 60914 ...", in picoseconds.
const std::string link = " nic_tx serialise propagate switch serialise propagate nic_rx ";
const std::string there = "build_wqe fence doorbell_issue doorbell_flight nic_doorbell wqe_read wqe_decode" + link;
const std::string home = "nic_ack cqe_write poll sync";

const Sets everything[] = {
    {{"pattern", "get"}},
    {{"pattern", "get"}, {"bytes", "20000 B"}, {"queues", "host"}, {"ordering", "sys_fence"}},
    {{"pattern", "get"}, {"path", "cpu_doorbell"}, {"threads", "4"}, {"qps", "2"}, {"sharing", "lock"}},
    {{"pattern", "get"}, {"path", "cpu_post"}, {"gdr", "none"}},
    {{"pattern", "get"}, {"path", "cpu_proxy"}, {"proxy", "ibrc"}},
    {{"pattern", "atomic"}},
    {{"pattern", "atomic"}, {"atomic", "compare_swap"}, {"path", "cpu_post"}},
    {{"pattern", "atomic"}, {"path", "cpu_proxy"}},
    {{"pattern", "put_signal"}},
    {{"pattern", "put_signal"}, {"signal", "flag"}, {"bytes", "220 B"}},
    {{"pattern", "put_signal"}, {"signal", "immediate"}, {"qps", "3"}},
    {{"pattern", "put_signal"}, {"path", "cpu_post"}, {"bytes", "20000 B"}, {"signal", "flag"}},
    {{"pattern", "put_signal"}, {"threads", "8"}, {"qps", "1"}, {"sharing", "handoff"}, {"bytes", "64 B"}},
    {{"pattern", "quiet"}, {"qps", "16"}},
    {{"pattern", "quiet"}, {"qps", "4"}, {"queues", "host"}, {"scope", "signal"}},
    {{"pattern", "message_rate"}, {"operation", "get"}, {"batch", "4"}, {"iterations", "100"}, {"threads", "2"}},
    {{"pattern", "put_bw"}, {"operation", "fetch_add"}, {"path", "cpu_post"}, {"iterations", "100"}},
};

TEST_CASE("patterns: rows add up to the headline; two runs and both modes give byte-equal JSON") {
  for (const char* system : both_systems)
    for (const Sets& sets : everything) {
      const schema::Scenario s = scenario(sets, system);
      const report::Finished f = simulate(s);
      const std::string json = report::json(f);
      CAPTURE(json);
      REQUIRE(f.status == Status::done);
      CHECK(report::imbalances(f).empty());
      if (!is_stream(s.pattern)) CHECK(total(f.ledger) == value(f, f.headline));
      if (schema::verb(s) == Verb::put && !is_stream(s.pattern)) {
        const Record& one_way = record(f, Quantity::one_way);
        if (one_way.min == one_way.max) CHECK(total(f.delivery_path) == value(f, Quantity::one_way));
      }
      CHECK(json == report::json(simulate(s)));
      CHECK(json == report::json(simulate(s, Kernel::Steps::exact)));
    }
}

TEST_CASE("get: issued like a put, answered by data") {
  const report::Finished f = run({{"pattern", "get"}});
  CHECK(f.headline == Quantity::completion);
  CHECK(value(f, Quantity::issue) == value(run({{"payload", "read"}}), Quantity::issue));
  CHECK(way(f.ledger) == there + "nic_execute remote_read" + link + home);
  CHECK(
      in_words(f.ledger) ==
      "build_wqe 185789 fence 510034 doorbell_issue 4062 doorbell_flight 250016 nic_doorbell 150000 wqe_read 611444 "
      "wqe_decode 100000 nic_tx 300000 serialise 1680 propagate 82000 switch 130000 serialise 1680 propagate 82000 "
      "nic_rx 300000 nic_execute 100000 remote_read 609654 nic_tx 300000 serialise 1520 propagate 82000 switch 130000 "
      "serialise 1520 propagate 82000 nic_rx 300000 nic_ack 170000 cqe_write 251794 poll 172589 sync 78173");
  CHECK(in_words(f.delivery_path).ends_with("nic_rx 300000 response_write 250016"));
}

TEST_CASE("atomic: one more store to build, one turn of the far NIC's unit") {
  const report::Finished add = run({{"pattern", "atomic"}}),
                         swap = run({{"pattern", "atomic"}, {"atomic", "compare_swap"}});
  CHECK(way(add.ledger) == there + "nic_execute remote_read nic_execute" + link + home);
  CHECK(way(add.delivery_path) == there + "nic_execute remote_read nic_execute remote_write");
  CHECK(in_words(swap.ledger) == in_words(add.ledger));
  const Picoseconds store = value(add, Quantity::issue) - value(run({{"pattern", "get"}}), Quantity::issue);
  CHECK(store == value(run({{"bytes", "28 B"}, {"gpu.inline_load", "0 cycles"}}), Quantity::issue) -
                     value(run(Sets{}), Quantity::issue));
}

TEST_CASE("put_signal: the receiver sees the signal, and its ledger is the signal's") {
  const report::Finished f = run({{"pattern", "put_signal"}});
  CHECK(way(f.delivery_path) == there + "nic_execute remote_read nic_execute remote_write poll");
  CHECK(in_words(f.delivery_path) ==
        "build_wqe 371578 fence 508003 doorbell_issue 4062 doorbell_flight 250016 nic_doorbell 150000 wqe_read 613487 "
        "wqe_decode 102000 nic_tx 300000 serialise 2160 propagate 82000 switch 130000 serialise 2160 propagate 82000 "
        "nic_rx 300000 nic_execute 100000 remote_read 609654 nic_execute 50000 remote_write 250016 poll 172589");
  CHECK(way(f.completion_path) == there + "nic_execute remote_read nic_execute" + link + home);
  const auto one_way = [](const char* signal, const char* bytes) {
    return value(run({{"pattern", "put_signal"}, {"signal", signal}, {"bytes", bytes}}), Quantity::one_way);
  };
  const Picoseconds put = value(run(Sets{}), Quantity::one_way);
  for (const char* signal : {"atomic", "flag", "immediate"}) CHECK(one_way(signal, "8 B") > put);
  CHECK(one_way("atomic", "8 B") > one_way("flag", "8 B") + 600ns);  // the far NIC's read
  for (const char* bytes : {"1 B", "220 B", "221 B", "16 MiB"}) CHECK(one_way("flag", bytes) > put);
}

TEST_CASE("put_signal: a receiver that lags behind takes every immediate, and so does a queue of few receives") {
  const report::Finished slow =
      run({{"pattern", "put_signal"}, {"signal", "immediate"}, {"node1.gpu0.poll_loop", "100000 cycles"}});
  CHECK(slow.status == Status::done);
  CHECK(value(slow, Quantity::put_completion) < 5us);
  const report::Finished few = run({{"pattern", "put_signal"}, {"signal", "immediate"}, {"depth", "4"},
                                    {"node1.gpu0.poll_loop", "100000 cycles"}});
  CHECK(few.status == Status::done);
  CHECK(*record(few, Quantity::put_completion).max > 600000);  // refused once none was left, and sent again
}

TEST_CASE("put_signal: data and receive's CQE that go different ways have no order, and the run says so") {
  const report::Finished f = run({{"pattern", "put_signal"}, {"path", "cpu_post"}, {"signal", "immediate"},
                                  {"bytes", "64 KiB"}, {"gpu.pcie.lanes", "1"}, {"expect", "ordering_violation"}});
  CHECK(f.status == Status::ordering_violation);
  CHECK(f.results.empty());
  REQUIRE(f.diagnosis);
  CHECK(holds(f.diagnosis->what, "node1.host.core0 was told of message 1, at address 0x"));
  CHECK(holds(f.diagnosis->what, ", but its data at 0x"));
  CHECK(holds(f.diagnosis->what, " became visible only at "));
  for (const char* signal : {"atomic", "flag"})
    CHECK(run({{"pattern", "put_signal"}, {"path", "cpu_post"}, {"signal", signal}, {"bytes", "64 KiB"},
               {"gpu.pcie.lanes", "1"}}).status == Status::done);
}

TEST_CASE("quiet: over all queue pairs one visit each, by its own or by a signal the same for any number") {
  const auto complete = [](const char* scope, const char* qps) {
    return value(run({{"pattern", "quiet"}, {"scope", scope}, {"qps", qps}}), Quantity::put_completion);
  };
  const Picoseconds put = value(run(Sets{}), Quantity::put_completion);
  CHECK(complete("all", "1") == put);
  CHECK(complete("all", "2") - put == 370'051_ps);
  CHECK(complete("all", "16") - put == 15 * 370'051_ps);
  for (const char* qps : {"1", "16"}) {
    CHECK(complete("qp", qps) == put);
    CHECK(complete("signal", qps) == value(run({{"pattern", "put_signal"}}), Quantity::put_completion));
  }
}

TEST_CASE("streams: a queue pair has as many READs out as the NICs allow, and a NIC does one atomic of a word at a time") {
  const auto rate = [](const char* operation, const Sets& more) {
    const report::Finished f = run(with({{"pattern", "message_rate"}, {"operation", operation}, {"batch", "16"},
                                         {"iterations", "1600"}, {"warmup", "160"}}, more));
    REQUIRE(f.status == Status::done);
    return record(f, Quantity::message_rate).value;
  };
  const double few = rate("get", {{"nic.fetches_outstanding", "2"}}),
               twice = rate("get", {{"nic.fetches_outstanding", "4"}});
  CHECK(twice / few == doctest::Approx(2).epsilon(0.02));
  for (const char* atomic : {"fetch_add", "compare_swap"}) {
    const double one = rate(atomic, {}), four = rate(atomic, {{"threads", "4"}, {"word", "shared"}});
    CHECK(one == doctest::Approx(1000 / (609.6 + 50)).epsilon(0.02));
    CHECK(four == doctest::Approx(one).epsilon(0.02));
  }
}

}  // namespace
}  // namespace gicsim
