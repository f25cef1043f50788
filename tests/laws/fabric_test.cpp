// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Many senders, one receiver: what flow control and congestion control promise, whatever the
// traffic.
#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "models/base/context.h"
#include "models/base/errors.h"
#include "scenarios/paths/make.h"
#include "scenarios/schema/load.h"
#include "scenarios/system/system.h"
#include "scenarios/whatif/flow_meter.h"
#include "scenarios/whatif/run.h"
#include "scenarios/workloads/workload.h"
#include "tests/support/files.h"

namespace gicsim {
namespace {

using Overrides = std::vector<schema::Override>;

report::Finished run(const std::string& name, const Overrides& overrides = {}) {
  whatif::RunOptions options;
  options.gain = false;
  return whatif::run_scenario(schema::load_scenario(name, overrides, source_root()), options);
}

std::int64_t sum(const report::Finished& run, std::string_view module, std::string_view counter) {
  std::int64_t total = 0;
  for (const report::Counter& one : run.counters)
    if (one.name == counter && one.module.find(module) != std::string::npos) total += one.value;
  return total;
}

TEST_CASE("incast 16:1 with PFC: nothing is dropped, ports are paused, all get the same") {
  const report::Finished pfc = run("incast_16_pfc");
  CHECK(pfc.status == Status::done);
  CHECK(sum(pfc, "fabric_switch", "dropped") == 0);
  CHECK(sum(pfc, "link_end", "pauses_received") > 16);
  CHECK(sum(pfc, "nic", "resent") == 0);
  CHECK(pfc.flows.size() == 16);
  CHECK(report::jain(pfc.flows) > 0.99);
  REQUIRE(pfc.bound_by);
  CHECK(pfc.bound_by->resource == "node0_nic0_link_down.link");
  CHECK(pfc.bound_by->share > 0.99);
}

TEST_CASE("incast 16:1 without PFC: drops, and each byte arrives all the same") {
  const report::Finished lossy = run("incast_16_lossy");
  CHECK(lossy.status == Status::done);
  CHECK(sum(lossy, "fabric_switch", "dropped") > 0);
  CHECK(sum(lossy, "fabric_switch", "dropped_lossless") == 0);
  CHECK(sum(lossy, "nic", "resent") > 0);
  CHECK(sum(lossy, "link_end", "pauses_received") == 0);
}

TEST_CASE("two priorities: only the lossy one loses packets") {
  const report::Finished both = run("two_priorities");
  CHECK(both.status == Status::done);
  CHECK(sum(both, "fabric_switch", "dropped") > 0);
  CHECK(sum(both, "fabric_switch", "dropped_lossless") == 0);
  for (const report::FlowShare& flow : both.flows)
    CHECK((flow.resent == 0) == (flow.priority == 3));
}

TEST_CASE("two priorities: with retries used up the lossy flows end in errors, which a poller that takes them for pending never sees") {
  const report::Finished error = run("two_priorities_error");
  CHECK(error.status == Status::error_completion);
  CHECK(sum(error, "fabric_switch", "dropped_lossless") == 0);
  REQUIRE(error.diagnosis);
  CHECK(error.diagnosis->what.find("transport retry counter exceeded (0x15)") != std::string::npos);
  const report::Finished hang = run("two_priorities_hang");
  CHECK(hang.status == Status::stuck);
  REQUIRE(hang.diagnosis);
  CHECK(hang.diagnosis->what.find("which the poster doesn't look for (poller: success)") != std::string::npos);
}

TEST_CASE("lossy incast: a flow's bandwidth is until its own end where no time was when all went on") {
  const report::Finished lossy = run("incast_16_lossy");
  CHECK(lossy.flows_to_their_end);
  CHECK(report::jain(lossy.flows) < 0.99);  // some waited for time-outs
  CHECK(!run("incast_16_pfc", {{"iterations", "10"}}).flows_to_their_end);
}

/// Jain's index of what each sender's NIC sent in each of the first five milliseconds.
std::vector<double> fairness(const std::string& name, int senders) {
  const schema::Scenario scenario =
      schema::load_scenario(name, {{"senders", std::to_string(senders)}, {"iterations", "1000"}}, source_root());
  ContextScope context;
  system::System system(scenario.system);
  paths::Connections connections(system, scenario);
  std::vector<workloads::Pair> pairs;
  for (paths::Ends& ends : connections.ends()) pairs.push_back({*ends.near, *ends.far});
  const auto workload = workloads::make_workload(std::move(pairs), scenario);
  workload->start();
  whatif::FlowMeter meter(system.kernel(), connections.posting());
  meter.start();
  system.kernel().run_through(5ms);
  system.kernel().abandon();
  return meter.jain(5ms);
}

TEST_CASE("DCQCN as its paper deployed it, at 40 Gb/s: 2 to 16 equal flows share alike within 5 ms") {
  for (int senders = 2; senders <= 16; ++senders) {
    CAPTURE(senders);
    const std::vector<double> by_ms = fairness("incast_dcqcn_40g", senders);
    REQUIRE(by_ms.size() == 5);
    CHECK(by_ms[3] >= 0.95);
    CHECK(by_ms[4] >= 0.95);
  }
}

/// Additive increases of 5 Mb/s are little at 400 Gb/s: five or six flows don't get there (DEVIATIONS.md).
TEST_CASE("DCQCN with the vendor's defaults at 400 Gb/s: flows come to share alike for a millisecond within 5 ms, but five or six") {
  for (const int senders : {2, 3, 4, 5, 6, 7, 8, 16}) {
    CAPTURE(senders);
    const std::vector<double> by_ms = fairness("incast_16_dcqcn", senders);
    REQUIRE(by_ms.size() == 5);
    const double best = *std::max_element(by_ms.begin(), by_ms.end());
    CHECK((best >= 0.95) == (senders != 5 && senders != 6));
    CHECK(best > 0.9);
  }
}

TEST_CASE("a report has Jain's index of each millisecond until a flow has ended") {
  const report::Finished two = run("incast_dcqcn_40g", {{"senders", "2"}});
  REQUIRE(two.jain_by_ms.size() >= 5);
  for (const double index : two.jain_by_ms) CHECK(index > 0.95);
}

TEST_CASE("DCQCN: switches mark, senders are told, nothing is dropped") {
  const report::Finished marked = run("incast_16_dcqcn");
  CHECK(marked.status == Status::done);
  CHECK(sum(marked, "fabric_switch", "marked") > 0);
  CHECK(sum(marked, "nic", "cnps_received") > 0);
  CHECK(sum(marked, "nic", "cnps_received") == sum(marked, "nic", "cnps_sent"));
  CHECK(sum(marked, "fabric_switch", "dropped") == 0);
}

TEST_CASE("a ring that waits for itself ends as stuck, with the circle named") {
  const report::Finished ring = run("pfc_deadlock");
  CHECK(ring.status == Status::stuck);
  REQUIRE(ring.diagnosis);
  CHECK(ring.diagnosis->what ==
        "the fabric is in deadlock: 3 ports wait for each other's buffers in a circle");
  REQUIRE(ring.diagnosis->waits_for.size() == 3);
  for (const std::string& line : ring.diagnosis->waits_for)
    CHECK(line.find("fabric_switch") != line.npos);
}

TEST_CASE("more than 127 flows: no limit") {
  const report::Finished many = run("flows_240");
  CHECK(many.status == Status::done);
  CHECK(many.flows.size() == 240);
}

TEST_CASE("InfiniBand's credits: nothing is dropped, whatever the lane's buffer") {
  for (const char* buffer : {"8 KiB", "64 KiB", "1 MiB"}) {
    const report::Finished credits =
        run("all_to_all_8_credits", {{"fabric.vl_buffer", buffer}, {"iterations", "4"}});
    CHECK(credits.status == Status::done);
    CHECK(sum(credits, "fabric_switch", "dropped") == 0);
    CHECK(sum(credits, "nic", "resent") == 0);
  }
}

TEST_CASE("InfiniBand's congestion control: marks, and queue pairs that wait") {
  const report::Finished ib = run("all_to_all_8_credits", {{"ib_cc", "on"}, {"traffic", "incast"}});
  CHECK(ib.status == Status::done);
  CHECK(sum(ib, "fabric_switch", "marked") > 0);
  CHECK(sum(ib, "nic", "held_back") > 0);
}

TEST_CASE(
    "per-packet ways: a flag overtakes its data where they are placed as they come, an atomic "
    "doesn't") {
  CHECK(run("adaptive_flag").status == Status::ordering_violation);
  const report::Finished atomic = run("adaptive_atomic");
  CHECK(atomic.status == Status::done);
  CHECK(sum(atomic, "node1.nic0", "early") > 0);
  CHECK(run("adaptive_atomic", {{"signal", "immediate"}}).status == Status::done);
  const report::Finished in_order = run("adaptive_in_order");
  CHECK(in_order.status == Status::done);
  CHECK(sum(in_order, "nic", "naks_sent") > 0);
  CHECK(sum(run("adaptive_in_order", {{"fabric.routing", "ecmp"}}), "nic", "naks_sent") == 0);
}

TEST_CASE(
    "each link layer has its own: DCQCN on InfiniBand and the like are mistakes of the user") {
  const auto wrong = [](const std::string& name, const Overrides& overrides,
                        const std::string& word) {
    try {
      schema::load_scenario(name, overrides, source_root());
      FAIL("was taken");
    } catch (const ConfigError& error) {
      CHECK(std::string(error.what()).find(word) != std::string::npos);
    }
  };
  wrong("all_to_all_8_credits", {{"dcqcn", "mlx5"}},
        "is InfiniBand, whose switches mark FECN and know no ECN; write 'ib_cc: on'");
  wrong("incast_16_pfc", {{"ib_cc", "on"}}, "is RoCE; write 'dcqcn: mlx5'");
  wrong("all_to_all_8_credits", {{"fabric.flow_control", "pfc"}},
        "isn't of a link.protocol infiniband; write 'credits'");
  wrong("incast_16_pfc", {{"fabric.flow_control", "credits"}},
        "isn't of a link.protocol rocev2; write 'pfc' or 'lossy'");
  wrong("incast_16_dcqcn", {{"fabric.flow_control", "ideal"}}, "mark nothing");
  wrong("put_bw_64MiB", {{"dcqcn.rpg_gd", "11"}}, "DCQCN is off; write 'dcqcn: mlx5'");
  wrong("incast_16_pfc", {{"senders", "17"}}, "17 nodes, of which one receives");
  wrong("incast_16_pfc", {{"service_levels", "9"}}, "numbers from 0 to 7");
}

}  // namespace
}  // namespace gicsim
