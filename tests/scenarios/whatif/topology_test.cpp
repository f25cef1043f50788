// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Where GPU, NIC and switch stand: what it costs, and who shares what.
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

schema::Scenario named(const std::string& name, const Sets& more = {}) {
  Sets sets{{"iterations", "40"}, {"bytes", "256 KiB"}};
  sets.insert(sets.end(), more.begin(), more.end());
  return schema::load_scenario(name, sets, source_root());
}
double bandwidth(const report::Finished& f) { return record(f, Quantity::bandwidth).value; }
double bandwidth(const std::string& name, const Sets& sets = {}) { return bandwidth(simulate(named(name, sets))); }

std::int64_t counter(const report::Finished& f, const std::string& module, const std::string& name) {
  for (const report::Counter& c : f.counters)
    if (c.module == module && c.name == name) return c.value;
  FAIL("no counter ", module, ".", name);
  return 0;
}

TEST_CASE("topology: PIX is no worse than PXB, PXB than PHB, PHB than NODE, NODE than SYS; reads and writes") {
  const char* const names[] = {"put_bw_pix", "put_bw_pxb", "put_bw_phb", "put_bw_node", "put_bw_sys"};
  // What a NIC reads lies in the GPU and what one writes in host memory, or the other way round.
  for (const char* gdr : {"read", "write", "both"}) {
    double before = 1e9;
    for (const char* name : names) {
      const double now = bandwidth(name, {{"path", "cpu_post"}, {"gdr", gdr}});
      INFO(name, " ", gdr, " ", now, " GB/s after ", before);
      CHECK(now <= before * 1.005);
      before = now;
    }
    CHECK(before < 16);
  }
}

TEST_CASE("topology: access control turns PIX round at the root complex, over both directions of the uplink") {
  const report::Finished direct = simulate(named("put_bw_pix")), turned = simulate(named("put_bw_acs"));
  CHECK(bandwidth(turned) < 0.6 * bandwidth(direct));
  const auto payload = [](const report::Finished& f, const char* link) { return counter(f, link, "payload"); };
  const std::int64_t all = 44 * 256 * 1024;
  CHECK(payload(direct, "node1.switch1_pcie_up") < 100'000);
  for (const char* link : {"node1.switch1_pcie_up", "node1.switch1_pcie_down", "node1.switch0_pcie_up",
                           "node1.switch0_pcie_down"})
    CHECK(payload(turned, link) >= all);
  CHECK(counter(turned, "node1.switch1", "redirected") > 0);
  CHECK(counter(direct, "node1.switch1", "redirected") == 0);
}

TEST_CASE("topology: redirected without upstream forwarding above, a doorbell gets lost, and the run says where") {
  const report::Finished f = simulate(named("put_bw_acs", {{"slot.acs_upstream_forwarding", "false"}}));
  REQUIRE(f.status == Status::stuck);
  REQUIRE(f.diagnosis);
  CHECK(f.diagnosis->waits_for.back().starts_with("node0.switch0 let "));
  CHECK(holds(f.diagnosis->waits_for.back(), " TLPs not through: access control"));
}

TEST_CASE("topology: two NICs under one x16 share it exactly, and with one each both are full") {
  const report::Finished own = simulate(named("put_bw_own_uplinks", {{"bytes", "64 KiB"}, {"iterations", "400"}}));
  const report::Finished one = simulate(named("put_bw_shared_uplink", {{"bytes", "64 KiB"}, {"iterations", "400"}}));
  REQUIRE(own.flows.size() == 2);
  REQUIRE(one.flows.size() == 2);
  for (const report::FlowShare& flow : own.flows) CHECK(flow.bandwidth == doctest::Approx(24.5).epsilon(0.02));
  CHECK(one.flows[0].bandwidth == doctest::Approx(one.flows[1].bandwidth).epsilon(0.005));
  CHECK(bandwidth(one) < 0.62 * bandwidth(own));
  CHECK(bandwidth(one) == doctest::Approx(29.1).epsilon(0.02));  // 31.5 GB/s of 276 B a 256 B completion
}

TEST_CASE("topology: two GPUs that share a NIC get half of it each, and one alone all of it") {
  const report::Finished both = simulate(named("put_bw_shared_nic", {{"iterations", "200"}}));
  REQUIRE(both.flows.size() == 2);
  CHECK(both.flows[0].flow == "gpu0-nic0");
  CHECK(both.flows[0].bandwidth == doctest::Approx(both.flows[1].bandwidth).epsilon(0.02));
  const double alone = bandwidth("put_bw_shared_nic", {{"flows", "gpu0-nic0"}});
  CHECK(bandwidth(both) == doctest::Approx(alone).epsilon(0.02));
}

TEST_CASE("topology: a second NIC gains nothing beyond the GPU's own link") {
  const double one = bandwidth("put_bw_two_nics_one_gpu", {{"flows", "gpu0-nic0"}});
  const report::Finished two = simulate(named("put_bw_two_nics_one_gpu"));
  CHECK(bandwidth(two) < 1.25 * one);
  CHECK(bandwidth(two) == doctest::Approx(63.02 * 256 / 276).epsilon(0.02));
}

TEST_CASE("topology: without a switch a second NIC gains nothing, and on another socket it gets less than the first") {
  const double one = bandwidth("put_bw_phb");
  CHECK(bandwidth("put_bw_two_nics_no_switch") < 1.01 * one);
  const report::Finished two = simulate(named("put_bw_two_nics_two_sockets"));
  CHECK(bandwidth(two) < 1.01 * one);
  REQUIRE(two.flows.size() == 2);
  CHECK(two.flows[1].bandwidth < 0.8 * two.flows[0].bandwidth);
}

TEST_CASE("topology: without the direct path copies take their share; direct at the receiver alone is as good as at both") {
  const double direct = bandwidth("put_bw_pix");
  CHECK(bandwidth("put_bw_host_staged", {{"iterations", "20"}}) < 0.9 * direct);
  CHECK(bandwidth("put_bw_direct_one_end") == doctest::Approx(direct).epsilon(0.02));
}

TEST_CASE("dma: a read from any line on is split at MRRS and each 4 KiB, and all its bytes come back") {
  const report::Finished f = simulate(schema::load_scenario("dma_read_unaligned", {}, source_root()));
  CHECK(counter(f, "node0.dma0", "read") == 120 * 10'000);
  CHECK(counter(f, "node0.dma0_pcie_down", "payload") == 120 * 10'000);
  CHECK(counter(f, "node0.dma0_port", "reads") >= 120 * 20);
  CHECK(counter(f, "node0.dma0_port", "reads") <= 120 * 23);
}

TEST_CASE("topology: a root complex that splits peers' writes into 64 B carries more headers, and no less payload") {
  const report::Finished whole = simulate(named("put_bw_phb"));
  const report::Finished split = simulate(named("put_bw_phb", {{"slot.peer_split", "64 B"}}));
  CHECK(counter(split, "node1.root0", "splits") > 0);
  const char* link = "node1.switch0_pcie_down";
  CHECK(counter(whole, link, "payload") == counter(split, link, "payload"));
  CHECK(counter(split, link, "wire") > counter(whole, link, "wire") * 5 / 4);
}

TEST_CASE("topology: a doorbell crosses what stands between") {
  // Gen5 x16: 32 B in 0.508 ns a link; switches 105 ns, root complexes and bridges 50 ns
  const auto flight = [](const char* flows) {
    return stages(simulate(schema::load_scenario("put_8B", {{"system", "h200_distances"}, {"flows", flows},
                                                           {"iterations", "3"}}, source_root()))
                      .ledger)["doorbell_flight"].first;
  };
  const Picoseconds link = 72ns + 508_ps;
  CHECK(flight("gpu0-nic0") == 2 * link + 105ns);
  CHECK(flight("gpu0-nic1") == 4 * link + 3 * 105ns);
  CHECK(flight("gpu0-nic2") == 4 * link + 2 * 105ns + 50ns);
  CHECK(flight("gpu0-nic3") == 4 * link + 2 * 105ns + 2 * 50ns);
}

TEST_CASE("translations: a cold put walks the pages of ring, record and doorbell; a warm one none") {
  const Sets cold{{"gpu.mmu.on", "true"}, {"warmup", "0"}, {"iterations", "1"}};
  CHECK(stages(run(cold).ledger)["translate"].first == (4 + 1 + 4) * 210ns);
  CHECK(value(run({{"gpu.mmu.on", "true"}}), Quantity::put_completion) == value(run({}), Quantity::put_completion));
}

}  // namespace
}  // namespace gicsim
