// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// What machines' own tools say, as a system file.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/traces/import/machine_support.h"
#include "traces/text/node.h"

namespace gicsim::imports {
namespace {

const std::vector<std::string> made = {"made_lspci.txt", "made_nvidia_smi_q.txt", "made_topo_m.txt", "made_ibstat.txt"};

/// One value of `tree`, `parts` or, with its origin, `set`.
std::string value(const Machine& machine, const char* section, const std::string& key) {
  const text::Node root = text::parse(machine.yaml, "out.yaml");
  const text::Member* map = root.find(section);
  if (map == nullptr) return "no " + std::string(section);
  const text::Member* member = map->value.find(key);
  if (member == nullptr) return "none";
  if (member->value.kind == text::Node::Kind::scalar) return member->value.value;
  std::string text;
  for (const text::Member& part : member->value.members)
    text += (text.empty() ? "" : " | ") + (part.key == "is" ? part.value.value : part.key + " " + part.value.value);
  return text;
}

TEST_CASE("machine: a bare-metal NCCL topology gives this file and no warning") {
  const Machine got = machine({"h200_nccl.xml"});
  CHECK(got.wrong.empty());
  CHECK(got.warnings.empty());
  REQUIRE(got.read.size() == 1);
  CHECK(got.read[0] == "h200_nccl.xml: NCCL topology, 9 devices, 9 of them new");
  CHECK(got.yaml == R"(# Written by 'gicsim import machine' from h200_nccl.xml
about: '2 nodes of 1 socket, 3 GPUs, 3 NICs'
nodes: 2
attach: tree
sockets: 1
fabric_switches: 1
notes:
  - 'made by ''gicsim import machine'': latencies, which no tool shows, are of the parts'
  - 'xeon_6548yp stands in for the CPU; the files name a Xeon of model 207 (Emerald Rapids)'
  - '2 nodes alike, one fabric switch between them, are assumed'
tree:
  switch0: root0  # 0000:16:00.0, NUMA node 0 (h200_nccl.xml:3)
  switch1: root0  # 0000:27:00.0, NUMA node 0 (h200_nccl.xml:18)
  switch2: root0  # 0000:38:00.0, NUMA node 0 (h200_nccl.xml:33)
  gpu0: switch0   # 0000:18:00.0, NUMA node 0 (h200_nccl.xml:4, tree)
  gpu1: switch1   # 0000:2a:00.0, NUMA node 0 (h200_nccl.xml:24, tree)
  gpu2: switch2   # 0000:3a:00.0, NUMA node 0 (h200_nccl.xml:39, tree)
  nic0: switch0   # 0000:19:00.0, mlx5_0, NUMA node 0 (h200_nccl.xml:12, tree)
  nic1: switch1   # 0000:29:00.0, mlx5_1, NUMA node 0 (h200_nccl.xml:19, tree)
  nic2: switch2   # 0000:3b:00.0, mlx5_2, NUMA node 0 (h200_nccl.xml:34, tree)
# nearest NICs: gpu0-nic0 PIX, gpu1-nic1 PIX, gpu2-nic2 PIX
# NVLinks of a GPU, which aren't modelled: 18
parts:
  host: xeon_6548yp
  root: xeon_6548yp
  pcie: pcie5_x16
  pcie_switch: pex89144
  gpu: h200_sxm
  nic: connectx7
  link: roce400_cable
  switch: ethernet_400g
set:
  switch.pcie.generation: {is: 5, measured: 'h200_nccl.xml:3, :18, :33, link_speed'}
  switch.pcie.lanes: {is: 16, measured: 'h200_nccl.xml:3, :18, :33, link_width'}
  gpu.pcie.generation: {is: 5, measured: 'h200_nccl.xml:4, :24, :39, link_speed'}
  gpu.pcie.lanes: {is: 16, measured: 'h200_nccl.xml:4, :24, :39, link_width'}
  nic.pcie.generation: {is: 5, measured: 'h200_nccl.xml:12, :19, :34, link_speed'}
  nic.pcie.lanes: {is: 16, measured: 'h200_nccl.xml:12, :19, :34, link_width'}
  nic.link.rate: {is: 400 Gbps, measured: 'h200_nccl.xml:14, :21, :36, speed'}
)");
}

TEST_CASE("machine: parts that are named exist") {
  const text::Node root = text::parse(machine({"h200_nccl.xml"}).yaml, "out.yaml");
  for (const text::Member& part : root.find("parts")->value.members) {
    CAPTURE(part.key);
    CHECK(std::filesystem::exists(source_root() + "/configs/parts/" + part.value.value + ".yaml"));
  }
}

TEST_CASE("machine: lspci has links as trained, sizes, tags and ACS, each with its line") {
  const Machine got = machine(made);
  REQUIRE(got.wrong.empty());
  CHECK(value(got, "tree", "gpu1") == "switch1");
  CHECK(value(got, "tree", "switch1") == "root1");
  CHECK(value(got, "tree", "dma0") == "switch0");
  CHECK(value(got, "parts", "dma") == "dma_ideal");
  CHECK(value(got, "set", "nic0.pcie.lanes") == "8 | measured made_lspci.txt:118, LnkSta");
  CHECK(value(got, "set", "nic.port.mrrs") == "512 B | measured made_lspci.txt:116, :242, DevCtl");
  CHECK(value(got, "set", "nic.port.tags") == "768 | measured made_lspci.txt:123, :249, DevCtl2; 10BitTagReq+");
  CHECK(value(got, "set", "dma0.port.tags") == "256 | measured made_lspci.txt:136, DevCtl; ExtTag+");
  CHECK(value(got, "set", "gpu.port.mrrs") == "none");  // a bound that GPUs stay below
  CHECK(value(got, "set", "gpu0.slot.acs_request_redirect") == "true | measured made_lspci.txt:50, ACSCtl");
  CHECK(value(got, "set", "nic1.slot.acs_request_redirect") == "false | measured made_lspci.txt:210, ACSCtl");
  CHECK(value(got, "set", "switch.slot.acs_direct_translated") == "false | measured made_lspci.txt:19, :162, ACSCtl");
}

TEST_CASE("machine: what isn't as it should be is a warning with its line") {
  const std::string warnings = machine(made).warnings;
  CHECK(holds(warnings, "made_lspci.txt:118: nic0 (0000:19:00.0) is degraded: x8 of x16\n"));
  CHECK(holds(warnings, "made_lspci.txt:139: dma0 (0000:1a:00.0) is degraded: 16 of 32 GT/s, all that its slot has\n"));
  CHECK(holds(warnings, "made_nvidia_smi_q.txt:75: gpu1 (0000:9a:00.0): a window (BAR1) of 65536 MiB for 81559 MiB"));
  CHECK(holds(warnings, "made_lspci.txt:241: RlxdOrd-: relaxed ordering is off at nic1"));
  CHECK(holds(warnings, "made_lspci.txt:50: ACS redirects requests (ReqRedir+) above gpu0, nic0"));
  CHECK_FALSE(holds(warnings, "virtual machine"));
  CHECK_FALSE(holds(warnings, "by the tree"));  // the matrix agrees
}

TEST_CASE("machine: windows without an address, and windows in one another, are warnings with their lines") {
  std::string text = machine_sample("made_lspci.txt");
  const auto put = [&](std::string_view old, std::string_view now) { text.replace(text.find(old), old.size(), now); };
  CHECK_FALSE(holds(machine(made).warnings, "overlaps"));
  put("Memory at 22f000000000", "Memory at 20ffff000000");  // 16 MiB before the other GPU's window ends
  put("Region 0: Memory at 3a044000000 (64-bit, prefetchable)", "Region 0: Memory at <unassigned> (64-bit, prefetchable) [disabled]");
  const std::string warnings = machine_of({{"lspci.txt", text}}).warnings;
  CHECK(holds(warnings, "lspci.txt:217: gpu1 (0000:9a:00.0): BAR 2 overlaps BAR 2 of gpu0 (0000:18:00.0) (lspci.txt:91, Region)"));
  CHECK(holds(warnings, "lspci.txt:236: nic1 (0000:9b:00.0): BAR 0 has no address, so nothing reaches it"));
  put("Memory at 20ffff000000", "Memory at 211000000000");  // where it ends
  CHECK_FALSE(holds(machine_of({{"lspci.txt", text}}).warnings, "overlaps"));
}

TEST_CASE("machine: an idle GPU's link counts as it is under load") {
  const Machine got = machine(made);
  CHECK(value(got, "set", "gpu1.pcie.generation") == "5 | derived made_lspci.txt:224, LnkCap; an idle GPU slows its link");
  CHECK(holds(got.warnings, "made_lspci.txt:225: gpu1 (0000:9a:00.0) runs at 2.5 GT/s, as idle GPUs do"));
}

TEST_CASE("machine: C2C has no place in a tree, which is said") {
  std::string smi = machine_sample("made_nvidia_smi_q.txt");
  smi.replace(smi.find("Disabled"), 8, "Enabled");
  const Machine got = machine_of({{"made_lspci.txt", machine_sample("made_lspci.txt")}, {"smi.txt", smi}});
  CHECK(holds(got.warnings, "C2C between gpu0 and the CPU has no place in a tree"));
}

TEST_CASE("machine: the order of files doesn't matter") {
  const Machine got = machine(made);
  const Machine other = machine({made[3], made[2], made[1], made[0]});
  CHECK(got.yaml == other.yaml);
  CHECK(got.warnings == other.warnings);
}

TEST_CASE("machine: rate and layer of a cable, by ibstat or ibv_devinfo") {
  const Machine ib = machine({"made_lspci.txt", "made_ibstat.txt"});
  CHECK(value(ib, "parts", "link") == "ndr400_cable");
  CHECK(value(ib, "parts", "nic1.link") == "ndr200_cable");
  CHECK(value(ib, "parts", "switch") == "quantum2");
  CHECK(value(ib, "set", "nic1.link.rate") == "200 Gbps | measured made_ibstat.txt:28, Rate");
  const Machine roce = machine({"made_lspci.txt", "made_ibv_devinfo.txt"});
  CHECK(value(roce, "parts", "link") == "roce400_cable");
  CHECK(value(roce, "parts", "switch") == "ethernet_400g");
  CHECK(value(roce, "set", "nic.link.rate") == "400 Gbps | measured made_ibv_devinfo.txt:22, :46, active_speed");
  std::string down = machine_sample("made_ibstat.txt");
  down.replace(down.rfind("Active"), 6, "Down");
  const Machine one = machine_of({{"made_lspci.txt", machine_sample("made_lspci.txt")}, {"ib.txt", down}});
  CHECK(holds(one.warnings, "ib.txt:18: mlx5_1 (nic1): its port is down"));
  CHECK(value(one, "set", "nic1.link.rate") == "none");
}

TEST_CASE("machine: lspci -tv alone shows switches, host bridges and what is near") {
  const Machine got = machine({"h200_vm_switches_lspci_tv.txt"});
  CHECK(value(got, "tree", "bridge0") == "root0");
  CHECK(value(got, "tree", "switch4") == "bridge0");
  CHECK(value(got, "tree", "gpu4") == "switch4");
  CHECK(value(got, "tree", "nic4") == "switch4");
  CHECK(holds(got.yaml, "gpu7-nic7 PIX"));
  CHECK(value(got, "set", "gpu.pcie.lanes") == "16 | assumed no file says it");
}

TEST_CASE("machine: topo -m alone gives a tree with its distances; NUMA nodes beyond the sockets are host bridges") {
  const Machine got = machine({"a100_topo_m.txt"});
  REQUIRE(got.wrong.empty());
  CHECK(holds(got.yaml, "\nsockets: 2\n"));
  CHECK(value(got, "tree", "nic0") == "switch0");
  CHECK(value(got, "tree", "gpu0") == "switch1");
  CHECK(value(got, "tree", "switch1") == "switch0");
  CHECK(value(got, "tree", "bridge0") == "root0");
  CHECK(holds(got.yaml, "gpu0-nic0 PXB, gpu1-nic1 PXB"));
  CHECK(holds(got.warnings, "NUMA nodes up to 7: two sockets"));
  CHECK_FALSE(holds(got.warnings, "by the tree"));
}

TEST_CASE("machine: a matrix that contradicts the tree is a warning, and the tree stays") {
  std::string matrix = machine_sample("made_topo_m.txt");
  matrix.replace(matrix.find("PIX\tSYS\t0-55"), 7, "SYS\tPIX");
  const Machine got = machine_of({{"made_lspci.txt", machine_sample("made_lspci.txt")}, {"topo.txt", matrix}});
  CHECK(holds(got.warnings,
              "topo.txt:2: gpu0 (GPU0) to nic0 (mlx5_0) is SYS, but PIX by the tree; so are 1 further pairs. The tree is kept"));
  CHECK(value(got, "tree", "nic0") == "switch0");
}

TEST_CASE("machine: nodes, sockets, and values that the user gives") {
  MachineSaid said;
  said.nodes = 4;
  said.sockets = 1;
  said.set = {{"nic0.pcie.lanes", "16"}, {"gpu.port.mps", "128 B"}, {"nic1.slot.peer_read", "false"}};
  const Machine got = machine(made, said);
  CHECK(holds(got.yaml, "\nnodes: 4\n"));
  CHECK(value(got, "tree", "switch1") == "bridge0");
  CHECK(value(got, "set", "nic0.pcie.lanes") == "16 | user --set of 'gicsim import machine'");
  CHECK(value(got, "set", "gpu.port.mps") == "128 B | user --set of 'gicsim import machine'");
  CHECK(value(got, "set", "nic1.slot.peer_read") == "false | user --set of 'gicsim import machine'");
  CHECK(holds(machine(made, {2, {}, {{"gpu7.pcie.lanes", "8"}}}).wrong, "--set gpu7.pcie.lanes: no gpu7 here; there are gpu0, gpu1"));
  CHECK(holds(machine(made, {2, {}, {{"a: b", "8"}}}).wrong, "'a: b' is no parameter's name"));
}

}  // namespace
}  // namespace gicsim::imports
