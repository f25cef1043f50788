// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "scenarios/schema/config_text.h"
#include "scenarios/schema/load.h"
#include "tests/support/files.h"

namespace gicsim::schema {
namespace {

constexpr const char* loopback = "put_8B_loopback";

std::string wrong(const char* name, const std::vector<Override>& overrides) {
  return mistakes_of([&] { load_scenario(name, overrides, source_root()); });
}
Scenario load(const char* name, const std::vector<Override>& overrides) {
  return load_scenario(name, overrides, source_root());
}

TEST_CASE("schema: keys of the system may be set where they are used") {
  CHECK(load("put_8B_h100", {}).system.nodes.size() == 4);
  CHECK(load("put_8B_h100", {{"system.nodes", "100"}}).system.nodes.size() == 100);
  CHECK(wrong("put_8B", {{"nodes", "8"}}) == "--set nodes=8: nodes: a key of the system; write 'system.nodes'");
  CHECK(wrong("put_8B", {{"system.noodes", "8"}}) ==
        "--set system.noodes=8: system.noodes: no such key; did you mean 'nodes'?");
  CHECK(holds(wrong("put_8B", {{"system.nodes", "8 B"}}), "system.nodes: '8 B' is not a count"));
  const Folder folder;
  const std::string file = folder.write(
      "s.yaml",
      "system: h200_cx7_ib\npattern: put\npath: gpu_direct\nset:\n  system.nodes: 3\n  system.fabric_switches: 0\n");
  CHECK(folder.relative(mistakes_of([&] { load_scenario(file, {}, source_root()); })) ==
        "s.yaml:6:27: fabric_switches: 0 is one cable between two NICs, and here are 3 nodes with 4; write "
        "'fabric_switches: 1', or two nodes with one NIC each");
}

TEST_CASE("schema: sockets that a machine doesn't have") {
  CHECK(wrong("put_8B", {{"system.host_socket", "1"}}) ==
        "--set system.host_socket=1: host_socket: 1, but a node has 1, counted from 0; write a smaller one, or more "
        "'sockets'");
  CHECK(wrong(loopback, {{"nic.slot.socket", "2"}}) ==
        "--set nic.slot.socket=2: node0.nic0.slot.socket: 2, but a node has 2 sockets, counted from 0");
  CHECK(wrong("put_8B", {{"switch0.slot.socket", "1"}}) ==
        "--set switch0.slot.socket=1: node0.switch0.slot.socket: 1, but a node has 1 sockets, counted from 0");
  CHECK(holds(wrong("put_8B", {{"system.sockets", "2"}}), "parts: none for node0.upi; write 'upi: NAME'"));
}

TEST_CASE("schema: distances follow from the tree") {
  const auto near = [](const Scenario& s, std::size_t gpu, std::size_t nic) { return distance(s.system, 0, gpu, nic); };
  const Scenario one = load("put_8B", {});
  CHECK(near(one, 0, 0) == Distance::pix);
  CHECK(near(one, 0, 3) == Distance::phb);
  CHECK(near(load(loopback, {}), 0, 0) == Distance::sys);
  CHECK(near(load(loopback, {{"nic.slot.socket", "0"}}), 0, 0) == Distance::phb);
  CHECK(near(load("put_8B_gb200", {}), 0, 0) == Distance::phb);
  const Folder folder;
  std::string text = contents(source_root() + "/configs/systems/h200_cx7_ib.yaml");
  text.insert(text.find("attach:"), "sockets: 2\n");
  text.insert(text.find("  host:"), "  upi: upi\n");
  text += "  switch2.slot.socket: {is: 1, datasheet: x}\n  switch3.slot.socket: {is: 1, datasheet: x}\n";
  const Scenario two = load_system(folder.write("two.yaml", text), {}, source_root());
  CHECK(near(two, 0, 0) == Distance::pix);
  CHECK(near(two, 0, 1) == Distance::phb);
  CHECK(near(two, 0, 2) == Distance::sys);
  CHECK(near(two, 3, 3) == Distance::pix);
  CHECK(near(two, 3, 2) == Distance::phb);
}

TEST_CASE("schema: a resolved machine of two sockets says the same again") {
  const Scenario first = load(loopback, {{"system.host_socket", "1"}, {"node1.nic0.slot.socket", "0"}});
  const Folder folder;
  const Scenario again =
      load_scenario(folder.write("config.yaml", config_text(first)), {}, folder.path());
  CHECK(again.system.sockets == 2);
  CHECK(again.system.host_socket == 1);
  CHECK(again.system.fabric_switches.empty());
  CHECK(again.system.attach == Attach::root_port);
  CHECK(again.system.nodes[0].pairs[0].nic_slot.socket == 1);
  CHECK(again.system.nodes[1].pairs[0].nic_slot.socket == 0);
  CHECK(again.parameters.size() == first.parameters.size());
}

TEST_CASE("schema: an A100's reports say that they predict") {
  const Scenario s = load("put_8B_a100", {});
  REQUIRE_FALSE(s.system.notes.empty());
  CHECK(holds(s.system.notes.front(), "prediction"));
  CHECK(holds(wrong("put_8B_a100", {{"library", "nvshmem"}}), "exists for blackwell, hopper, not for ampere"));
}

}  // namespace
}  // namespace gicsim::schema
