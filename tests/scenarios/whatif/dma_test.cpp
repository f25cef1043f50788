// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/whatif/runs.h"

namespace gicsim {
namespace {

report::Finished named(const char* name, const Sets& sets = {}) {
  return simulate(schema::load_scenario(name, sets, source_root()));
}
double rate(const char* name, const Sets& sets = {}) { return record(named(name, sets), Quantity::bandwidth).value; }

TEST_CASE("dma: a read's ledger has each of its terms, and they add up") {
  const report::Finished f = named("dma_read_64B");
  CHECK(report::total(f.ledger) == value(f, Quantity::latency));
  Stages all = stages(f.ledger);
  CHECK(all["dma_engine"].first == 72ns + 7ns + 64_B / 56_Gbps);
  std::vector<std::string> at;
  for (const report::Row& row : f.ledger)
    for (const auto& hop : row.hops) at.push_back(hop.at);
  CHECK(at == std::vector<std::string>{"node0.dma0", "node0.dma0_pcie_up", "node0.root", "node0.host_port", "node0.root",
                                       "node0.dma0_pcie_down", "node0.dma0"});
}

TEST_CASE("dma: a cold window costs memory's latency, one too large for the cache some of it") {
  const auto latency = [](const char* window, const char* cache) {
    return value(named("dma_read_64B", {{"window", window}, {"cache", cache}, {"access", "random"}}), Quantity::latency);
  };
  const Picoseconds warm = latency("8 KiB", "warm"), cold = latency("8 KiB", "cold");
  CHECK(cold == warm + 57ns + 64_B / 546_Gbps);
  CHECK(latency("8 MiB", "warm") == warm);
  CHECK(latency("64 MiB", "warm") == cold);  // three in four aren't there
}

TEST_CASE("dma: a read behind a write waits until the write is seen") {
  const Picoseconds read = value(named("dma_read_64B"), Quantity::latency);
  const Picoseconds both = value(named("dma_write_read_64B"), Quantity::latency);
  CHECK(both > read + 106ns);
  CHECK(value(named("dma_write_read_64B", {{"host.write_commit", "0 ns"}}), Quantity::latency) < both - 100ns);
}

TEST_CASE("dma: streams report a rate; what runs both ways is slower each way") {
  const double reads = rate("dma_read_bw_512B"), writes = rate("dma_write_bw_512B"), both = rate("dma_rw_bw_512B");
  CHECK(reads < 7.877 * 512 / 552);
  CHECK(writes < 7.877 * 512 / 560);
  CHECK(both < std::min(reads, writes));
  CHECK(2 * both > std::max(reads, writes));
}

TEST_CASE("dma: an IO-TLB of 64 pages reaches over 256 KiB; pass-through costs nothing") {
  const auto latency = [](const char* window, const char* mode) {
    return value(named("dma_read_iommu", {{"window", window}, {"iommu.mode", mode}}), Quantity::latency);
  };
  const Picoseconds hit = latency("256 KiB", "translate");
  CHECK(latency("4 MiB", "pass_through") == hit);
  CHECK(latency("4 MiB", "translate") == hit + 4 * Picoseconds(50ns));
}

TEST_CASE("dma: a virtual machine's device at less than half of bare metal's rate, and at all of it with ATS") {
  const Sets bare{{"iommu.mode", "off"}};
  const double metal = rate("dma_read_bw_vm", bare);
  CHECK(rate("dma_read_bw_vm") < 0.5 * metal);
  CHECK(rate("dma_read_bw_vm_ats") > 0.98 * metal);
}

TEST_CASE("dma: an address that isn't mapped ends the run, and is named") {
  const report::Finished f = named("dma_fault");
  CHECK(f.status == Status::error_completion);
  REQUIRE(f.diagnosis);
  CHECK(f.diagnosis->what.find("isn't mapped for devices") != std::string::npos);
}

TEST_CASE("dma: systems and patterns that don't fit each other are told apart") {
  const auto said = [](const Sets& sets, const char* system) {
    try {
      run(sets, system);
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(said({}, "hsw_nfp6000").find("has no GPU, and put needs one") != std::string::npos);
  CHECK(said({{"pattern", "dma_read"}, {"path", "none"}}, "h200_host").find("has no DMA device") != std::string::npos);
  CHECK(said({{"pattern", "dma_read"}, {"path", "none"}, {"bytes", "1 KiB"}, {"window", "512 B"}}, "hsw_nfp6000")
            .find("one access touches 1 KiB") != std::string::npos);
}

}  // namespace
}  // namespace gicsim
