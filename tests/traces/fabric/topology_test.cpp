// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/fabric/topology.h"

#include <doctest/doctest.h>

#include <random>

#include "tests/support/files.h"

namespace gicsim::fabric {
namespace {

std::string sample(const std::string& name) { return source_root() + "/traces/samples/fabric/" + name; }

std::string said(const std::string& text) {
  const Folder folder;
  const std::string file = folder.write("a.txt", text);
  return folder.relative(mistakes_of([&] { to_system(read_ns3_topology(file)); }));
}

SystemText system_of(const std::string& text) {
  const Folder folder;
  return to_system(read_ns3_topology(folder.write("a.txt", text)));
}

TEST_CASE("topology: leaves and spines of HPCC") {
  const Topology topology = read_ns3_topology(sample("leaf_spine.txt"));
  CHECK(topology.nodes.size() == 8);
  CHECK(topology.links.size() == 8);
  CHECK(topology.links[7].delay == 2us);
  CHECK(topology.links[0].rate == 25_Gbps);
  const SystemText system = to_system(topology);
  CHECK(system.warnings.empty());
  CHECK(holds(system.yaml, "source: {user: 'leaf_spine.txt'}\nnodes: 4\npairs: 1\n"));
  CHECK(holds(system.yaml, "fabric: leaf_spine\nfabric_switches: 1\nleaves: 2\nspines: 2\n"));
  CHECK(holds(system.yaml, "  link.rate: 25 Gbps\n  link.flight: 1 us\n"));
  CHECK(holds(system.yaml, "  fabric.link0.rate: 100 Gbps\n"));
  CHECK(holds(system.yaml, "  fabric.link3.flight: 2 us\n"));
}

TEST_CASE("topology: rails and NVLink of SimAI, and what of it a system can't say") {
  const SystemText system = to_system(read_ns3_topology(sample("rails.txt")));
  CHECK(holds(system.yaml, "nodes: 2\npairs: 2\n"));
  CHECK(holds(system.yaml, "gpu: h100_sxm\n"));
  CHECK(holds(system.yaml, "fabric_switches: 1\n"));
  CHECK(holds(system.yaml, "link.rate: 400 Gbps\n  link.flight: 500 ns\n"));
  REQUIRE(system.warnings.size() == 2);
  CHECK(holds(system.warnings[0], "4 links to NVSwitches"));
  CHECK(holds(system.warnings[1], "several leaves (rails)"));
}

TEST_CASE("topology: back to back, one switch, what doesn't fit") {
  CHECK(holds(system_of("2 0 1\n0 1 100Gbps 1us 0\n").yaml, "fabric_switches: 0\n"));
  const SystemText star =
      system_of("4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0.01\n2 3 25Gbps 1us 0\nFirst line: total\n");
  CHECK(holds(star.yaml, "nodes: 3\n"));
  CHECK(holds(star.yaml, "fabric_switches: 1\n"));
  REQUIRE(star.warnings.size() == 3);
  CHECK(holds(star.warnings[0], "1 lines behind the links"));
  CHECK(holds(star.warnings[1], "1 links with an error rate"));
  CHECK(holds(star.warnings[2], "hosts' links are of 2 kinds"));
  const SystemText apart = system_of(
      "7 3 7\n4 5 6\n0 5 10Gbps 1us 0\n1 4 10Gbps 1us 0\n2 4 10Gbps 1us 0\n3 5 10Gbps 1us 0\n4 6 10Gbps 1us 0\n5 6 "
      "10Gbps 1us 0\n0 1 10Gbps 1us 0\n");
  CHECK(holds(apart.yaml, "leaves: 2\nspines: 1\n"));
  CHECK(holds(apart.warnings.at(0), "1 links between hosts"));
  CHECK(holds(apart.warnings.at(1), "2 of 4 hosts stand at another leaf"));
}

TEST_CASE("topology: three levels become two") {
  const SystemText system = system_of(
      "9 5 9\n4 5 6 7 8\n0 4 10Gbps 1us 0\n1 4 10Gbps 1us 0\n2 5 10Gbps 1us 0\n3 5 10Gbps 1us 0\n4 6 10Gbps 1us 0\n5 7 "
      "10Gbps 1us 0\n"
      "6 8 10Gbps 1us 0\n7 8 10Gbps 1us 0\n6 7 10Gbps 1us 0\n");
  CHECK(holds(system.yaml, "leaves: 2\nspines: 1\n"));
  CHECK(holds(system.warnings.at(0), "2 leaves and 3 other switches aren't two levels"));
}

TEST_CASE("topology: mistakes, with their places") {
  CHECK(said("2 0\n") ==
        "a.txt:1:4: the end of the line: the first line is 'nodes switches links', or 'nodes gpus_per_server "
        "nvswitches switches links gpu'");
  CHECK(holds(said("2 1 1\n"), "the file ends here, 1 switches' numbers are missing; it was cut off"));
  CHECK(holds(said("3 1 2\n2\n0 2 10Gbps 1us 0\n"),
              "the file ends behind this line, 1 links are missing; it was cut off"));
  CHECK(holds(said("3 1 1\n3\n"), "a.txt:2:1: '3': write a switch's number, a whole number up to 2"));
  CHECK(holds(said("3 1 1\n2\n0 3 10Gbps 1us 0\n"), "a.txt:3:3: '3': write a node"));
  CHECK(holds(said("3 1 1\n2\n0 2 10Gbs 1us 0\n"), "a.txt:3:5: '10Gbs': write it like 100Gbps"));
  CHECK(holds(said("3 1 1\n2\n0 2 10Gbps 1 0\n"), "a.txt:3:12: '1': write it like 1000ns or 0.001ms"));
  CHECK(holds(said("3 1 1\n2\n0 2 10Gbps 1us 2\n"), "write an error rate, 0 .. 1"));
  CHECK(holds(said("3 3 1\n0 1 2\n"), "3 nodes of which 3 are switches"));
  CHECK(holds(said("3000000000 3 1\n"), "write the number of nodes"));
  CHECK(holds(said("4 1 1\n3\n0 1 10Gbps 1us 0\n"), "no link between a host and a switch"));
  CHECK(holds(said("3 0 1\n0 1 10Gbps 1us 0\n"), "no switch and more than two nodes"));
}

TEST_CASE("topology: bytes changed or missing never crash it") {
  std::mt19937 random(7);
  for (const char* name : {"leaf_spine.txt", "rails.txt"}) {
    const std::string whole = contents(sample(name));
    for (int i = 0; i < 1000; ++i) {
      std::string text = whole.substr(0, 1 + random() % whole.size());
      for (int n = 0; n < 3; ++n)
        text[random() % text.size()] = i % 2 ? static_cast<char>(random()) : static_cast<char>('0' + random() % 10);
      said(text);
    }
  }
  CHECK(looks_like_ns3_topology("8 4 8\n4 5 6 7\n"));
  CHECK(looks_like_ns3_topology("10 2 2 4 16 H100\n4 5\n"));
  CHECK_FALSE(looks_like_ns3_topology("10\n4 5\n"));
  CHECK_FALSE(looks_like_ns3_topology("num_ranks 5\n"));
}

}  // namespace
}  // namespace gicsim::fabric
