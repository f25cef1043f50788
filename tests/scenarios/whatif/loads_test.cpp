// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/scenarios/whatif/runs.h"

/// What else the machine does while something is measured.
namespace gicsim {
namespace {

TEST_CASE("loads: a GEMM costs a put its clock and its fence, and what a CPU posts nothing") {
  const auto put = [](const Sets& more) {
    Sets sets{{"path", "gpu_direct"}};
    sets.insert(sets.end(), more.begin(), more.end());
    return stages(run(sets).ledger);
  };
  const auto idle = put({}), loaded = put({{"beside", "gemm"}});
  CHECK(loaded.at("fence").first - loaded.at("fence").second > idle.at("fence").first - idle.at("fence").second);
  CHECK(loaded.at("build_wqe").first > idle.at("build_wqe").first * 145 / 100);
  CHECK(loaded.at("build_wqe").first < idle.at("build_wqe").first * 149 / 100);
  CHECK(loaded.at("nic_tx") == idle.at("nic_tx"));
  const Sets posted{{"path", "cpu_post"}, {"receiver", "cpu"}};
  const auto by_cpu = value(run(posted), Quantity::put_completion);
  Sets beside = posted;
  beside.push_back({"beside", "gemm"});
  CHECK(std::chrono::abs(value(run(beside), Quantity::put_completion) - by_cpu) < 1ns);
}

TEST_CASE("loads: a launch is later by its commands, its start and its end") {
  const Sets launch{{"pattern", "launch"}, {"path", "none"}};
  Sets beside = launch;
  beside.push_back({"beside", "gemm"});
  const report::Finished idle = run(launch, "h200_host"), loaded = run(beside, "h200_host");
  CHECK(value(loaded, Quantity::issue) == value(idle, Quantity::issue));
  CHECK(value(loaded, Quantity::synced) - value(idle, Quantity::synced) >= 1280ns);
  CHECK(value(loaded, Quantity::synced) - value(idle, Quantity::synced) < 1290ns);
}

TEST_CASE("loads: a kernel whose blocks don't fit beside a GEMM's waits for them to end; in a stream of priority a wave at most") {
  const auto launch = [](const char* name, const Sets& more) {
    Sets sets = more;
    sets.push_back({"iterations", "20"});
    return simulate(schema::load_scenario(name, sets, source_root()));
  };
  const Picoseconds alone = value(launch("launch_gemm_waits", {{"beside.blocks", "0"}}), Quantity::synced);
  const report::Finished waits = launch("launch_gemm_waits", {}), urgent = launch("launch_gemm_priority", {});
  const auto waited = [](const report::Finished& f) { return stages(f.ledger).at("launch").second; };
  CHECK(waited(waits) > 15 * 99us);  // until the GEMM that began behind the last launch has ended
  CHECK(waited(waits) < 16 * 99us);
  CHECK(waited(urgent) <= 99us);
  for (const report::Finished* f : {&waits, &urgent}) {
    const Picoseconds more = value(*f, Quantity::synced) - alone - waited(*f);
    CHECK(more >= 0ns);
    CHECK(more < 10ns);
  }
  CHECK(value(launch("launch_gemm", {}), Quantity::synced) == alone);  // its one warp fits
}

TEST_CASE("loads: copies take what they take of the GPU's link from a stream of puts") {
  const auto rate = [](const char* copies) {
    return record(run({{"pattern", "put_bw"},
                       {"bytes", "64 KiB"},
                       {"batch", "16"},
                       {"iterations", "100"},
                       {"copy_load", copies},
                       {"nic.pcie.lanes", "16"},
                       {"link.rate", "800 Gbps"}}),
                  Quantity::bandwidth)
        .value;
  };
  const double alone = rate("off"), beside = rate("d2h"), other_way = rate("h2d");
  CHECK(beside < 0.75 * alone);
  CHECK(other_way < 0.75 * alone);  // the far GPU takes in both over one link, and the wire waits for it
}

TEST_CASE("loads: copies keep no run alive, neither one that ends nor one that is stuck") {
  const report::Finished stuck =
      run({{"copy_load", "d2h"}, {"gpu.pcie.lanes", "1"}, {"gpu.pcie.generation", "3"}, {"nic.ack_timeout", "0"}, {"iterations", "1"},
           {"warmup", "0"}, {"drop", "node0.nic0.link down ack 1"}});
  CHECK(stuck.status == Status::stuck);
  CHECK(stuck.elapsed < 110ms);
}

TEST_CASE("loads: a proxy whose core is shared is slower, by its cycles on a sibling, by whole slices on the core") {
  const auto put = [](const char* share, const char* at) {
    return run({{"path", "cpu_proxy"}, {"cpu_load", share}, {"cpu_load_at", at}, {"iterations", "2000"}});
  };
  const report::Finished idle = put("0", "core"), sibling = put("0.9", "sibling"), core = put("0.5", "core");
  CHECK(value(sibling, Quantity::put_completion) > value(idle, Quantity::put_completion) + 100ns);
  CHECK(record(core, Quantity::put_completion).max > 2.9e6);
  CHECK(record(core, Quantity::put_completion).min == record(idle, Quantity::put_completion).min);
}

TEST_CASE("loads: a WQE pushed by a warp isn't fetched, one pushed by a thread is all the same") {
  const auto put = [](const char* push) { return stages(run({{"push", push}}).ledger); };
  const auto off = put("off"), thread = put("thread"), warp = put("warp");
  CHECK(warp.count("wqe_read") == 0);
  CHECK(thread.at("wqe_read") == off.at("wqe_read"));
  CHECK(thread.at("doorbell_issue").first > off.at("doorbell_issue").first);
  const auto unordered = run({{"push", "warp"}, {"ordering", "none"}});
  CHECK(unordered.status == Status::done);
  CHECK(stages(unordered.ledger).count("fence") == 0);
}

TEST_CASE("bar probes: a copy to the window, and a ping-pong through it") {
  const report::Finished one = run({{"pattern", "bar_write"}, {"path", "none"}, {"bytes", "64 B"}}, "v100_host");
  const report::Finished many = run({{"pattern", "bar_write"}, {"path", "none"}, {"bytes", "64 KiB"}}, "v100_host");
  CHECK(value(one, Quantity::issue) == 40_cycles / 3600_MHz + 4_cycles / 3600_MHz + 70ns);
  CHECK(record(many, Quantity::bandwidth).value > 8.0);
  CHECK(record(many, Quantity::bandwidth).value < 64.0 / 7.0);  // ten buffers of 64 B, 70 ns each
  const report::Finished pong = run({{"pattern", "bar_ping_pong"}, {"path", "none"}, {"bytes", "4 B"}}, "a40_host");
  CHECK(pong.headline == Quantity::rtt);
  CHECK(value(pong, Quantity::rtt) > 800ns);
  CHECK(value(pong, Quantity::rtt) < 1400ns);
}

TEST_CASE("gate: a claimed gate before doorbells costs its time in one row, and refuses in silence") {
  const report::Finished open = run({}), gate = run({{"host.doorbell_gate", "true"}});
  CHECK(gate.status == Status::done);
  CHECK(value(gate, Quantity::put_completion) > value(open, Quantity::put_completion) + 500ns);
  for (const auto& [stage, time] : stages(open.ledger))
    if (stage != "doorbell_flight") CHECK(stages(gate.ledger).at(stage).first == time.first);
  const report::Finished refused = run({{"host.doorbell_gate", "true"}, {"host.gate.admits", "processors"}});
  CHECK(refused.status == Status::stuck);
  REQUIRE_FALSE(refused.warnings.empty());
  CHECK(holds(refused.warnings[0], "node0.host.gate refused 1 doorbell, and told nobody"));
  CHECK(run({{"path", "cpu_post"}, {"host.doorbell_gate", "true"}, {"host.gate.admits", "processors"}}).status == Status::done);
}

}  // namespace
}  // namespace gicsim
