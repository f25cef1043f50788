// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// What virtual machines show of themselves (case B2), and texts that are cut, corrupt or hostile.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/traces/import/machine_support.h"
#include "traces/text/node.h"

namespace gicsim::imports {
namespace {

TEST_CASE("machine: a bridge at an impossible speed isn't believed, is said, and can be set") {
  const Machine got = machine({"vm_bridges_nccl.xml"});
  CHECK(holds(got.warnings, "vm_bridges_nccl.xml:3: switch0 (0000:65:00.0) reports 2.5 GT/s, x1, which can't be: generation 5 x16 taken; "
                            "--set switch0.pcie.lanes=16 (or generation) says otherwise"));
  CHECK(holds(got.warnings, "vm_bridges_nccl.xml:4: nic0 (0000:67:00.0) reports an unknown speed, x255, which can't be"));
  CHECK(holds(got.yaml, "switch0.pcie.generation: {is: 5, assumed: 'as the fastest below it'}"));
  CHECK(holds(got.yaml, "nic0.pcie.lanes: {is: 16, assumed: 'no file says it'}"));
  const Machine set = machine({"vm_bridges_nccl.xml"}, {2, {}, {{"switch0.pcie.lanes", "8"}, {"switch0.pcie.generation", "4"}}});
  CHECK(holds(set.yaml, "switch0.pcie.lanes: {is: 8, user: "));
  CHECK(holds(set.yaml, "switch0.pcie.generation: {is: 4, user: "));
  CHECK(holds(set.warnings, "switch0 (0000:65:00.0) reports 2.5 GT/s, x1, which can't be: what --set says is taken"));
}

TEST_CASE("machine: a virtual machine without switches and NUMA nodes says so") {
  const Machine got = machine({"h200_vm_lspci_tv.txt", "h200_vm_nccl.xml"});
  CHECK(holds(got.warnings, "h200_vm_nccl.xml:2: a virtual machine (numaid -1)"));
  CHECK(holds(got.warnings, "8 GPUs and 8 NICs, each at a root port and no switch between them"));
  CHECK(holds(got.warnings, "NUMA node of gpu0 and 15 more: not said, or -1; socket 0 is taken"));
  CHECK(holds(got.warnings, "h200_vm_nccl.xml:3: gpu0 (0000:05:00.0) reports generation 4, but can do 5"));
  CHECK(holds(got.yaml, "gpu0.pcie.generation: {is: 4, measured: 'h200_vm_nccl.xml:3, link_speed'}"));
  CHECK(holds(machine({"h200_vm_switches_lspci_tv.txt"}).warnings, "h200_vm_switches_lspci_tv.txt:17: a virtual machine (Intel"));
}

TEST_CASE("machine: some of lspci, or lspci of a user who may not") {
  const std::string one = "0000:18:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)\n";
  const Machine alone = machine_of({{"f.txt", one + "\tCapabilities: [60] Express (v2) Endpoint, MSI 00\n"}});
  CHECK(holds(alone.warnings, "f.txt:1: gpu0 (0000:18:00.0): no bridge leads to its bus"));
  const Machine denied = machine_of({{"f.txt", one + "\tCapabilities: <access denied>\n"}});
  CHECK(holds(denied.warnings, "lspci was denied the capabilities of gpu0"));
  CHECK(holds(denied.yaml, "gpu: h100_sxm"));
}

TEST_CASE("machine: what can't be read says where and what to give") {
  CHECK(holds(machine_of({{"f.txt", "hello\n"}}).wrong, "f.txt: nothing that is known here of a machine; give the whole output of lspci"));
  CHECK(machine_of({{"f.txt", "\n \n"}}).wrong == "f.txt: is empty");
  CHECK(holds(machine_of({{"f.xml", "<graphs/>"}}).wrong, "f.xml:1:1: <graphs>: not NCCL's topology"));
  CHECK(holds(machine_of({{"f.xml", "<system>\n<cpu numaid='0'>\n"}}).wrong, "ends inside <cpu> of line 2"));
  CHECK(holds(machine_of({{"f.xml", "<system><cpu><pci busid='x'/></cpu></system>"}}).wrong,
              "f.xml:1:14: busid 'x' is no PCI address; write it like 0000:18:00.0"));
  CHECK(holds(machine_of({{"f.txt", "CA 'mlx5_0'\n"}}).wrong, "no file names a GPU"));
  CHECK(holds(machine_of({{"f.txt", "-[0000:00]-+-00.0\n             \\-01.0\n"}}).wrong,
              "f.txt:2:14: a branch without a line above it"));
  CHECK(holds(machine_of({{"f.txt", "-[0000:00]-+-zz.0\n"}}).wrong, "f.txt:1:14: 'zz.0' is no device"));
  CHECK(holds(machine_of({{"f.txt", "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \n"}}).wrong,
              "f.txt:2:7: GPU0: 1 distances, but the header names 2 columns"));
  CHECK(holds(machine_of({{"f.txt", "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tFAR\t0\n"}}).wrong, "'FAR' is no distance"));
}

TEST_CASE("machine: devices twice, below themselves, of two machines") {
  const std::string text = machine_sample("made_lspci.txt");
  CHECK(holds(machine_of({{"f.txt", text + text}}).wrong, "0000:15:00.0: a second time (first on line 1)"));
  CHECK(machine_of({{"a.txt", text}, {"b.txt", text}}).wrong.empty());  // the same file twice is no contradiction
  const auto bridge = [](const char* at, const char* to) {
    return std::string(at) + " PCI bridge: B\n\tBus: primary=00, secondary=" + to + ", subordinate=ff\n";
  };
  const std::string gpu = "03:00.0 3D controller: NVIDIA Corporation Device 2335\n";
  CHECK(holds(machine_of({{"f.txt", bridge("01:00.0", "02") + bridge("02:00.0", "01") + bridge("01:01.0", "03") + gpu}}).wrong,
              "f.txt:7:1: 0000:03:00.0: lies below itself, or too deep"));
  CHECK(machine_of({{"f.txt", bridge("03:01.0", "03") + gpu}}).wrong.empty());
  const char* loop = "<system><cpu numaid='0'><pci busid='0:1:0.0' class='0x060400'><pci busid='0:2:0.0' class='0x060400'>"
                     "<pci busid='0:1:0.0'/></pci></pci></cpu></system>";
  CHECK(holds(machine_of({{"f.xml", loop}}).wrong, "0000:01:00.0: a second time"));
  std::string two = machine_sample("h200_nccl.xml");
  const Machine both = machine_of({{"a.xml", two}, {"b.xml", machine_sample("h200_vm_nccl.xml")}});
  CHECK(holds(both.wrong, "b.xml:2:3: host_hash 0x51a8d39608097de4: another machine than at a.xml:2"));
}

TEST_CASE("machine: more than a node has room for is left out aloud") {
  std::string text = "<system><cpu numaid='0'>";
  for (int i = 1; i < 41; ++i) {
    char busid[16];
    std::snprintf(busid, sizeof busid, "0000:%02x:00.0", i);
    const bool gpu = i % 2 == 0;
    text += "<pci busid='" + std::string(busid) + "' class='" + (gpu ? "0x030200" : "0x020700") + "' vendor='" + (gpu ? "0x10de" : "0x15b3") + "'/>";
  }
  const Machine got = machine_of({{"f.xml", text + "</cpu></system>"}});
  CHECK(holds(got.warnings, "20 gpus, and a node has room for 16"));
  CHECK(holds(got.warnings, "20 nics, and a node has room for 16"));
  CHECK(holds(got.yaml, "gpu15: root0"));
  CHECK_FALSE(holds(got.yaml, "gpu16"));
}

TEST_CASE("machine: numbers beyond reason aren't figures") {
  std::string text = machine_sample("h200_nccl.xml");
  const auto with = [&](const std::string& old, const std::string& now) {
    std::string changed = text;
    return machine_of({{"f.xml", changed.replace(changed.find(old), old.size(), now)}});
  };
  CHECK(holds(with("numaid=\"0\"", "numaid=\"99999999999999999999\"").yaml, "sockets: 1"));
  CHECK(holds(with("link_width=\"16\"", "link_width=\"4294967295\"").yaml, "switch0.pcie.lanes: {is: 16, assumed"));
  CHECK(holds(with("speed=\"400000\"", "speed=\"-1\"").yaml, "nic1.link.rate: {is: 400 Gbps"));
  CHECK(holds(with("link_speed=\"32.0 GT/s PCIe\"", "link_speed=\"nan\"").warnings, "reports an unknown speed, x16, which can't be"));
}

TEST_CASE("machine: any sample cut anywhere, or with a byte changed, ends in a file that reads back or in a mistake") {
  for (const auto& entry : std::filesystem::directory_iterator(source_root() + "/traces/samples/machine")) {
    const std::string name = entry.path().filename().string();
    if (name == "README.md") continue;
    CAPTURE(name);
    const std::string text = machine_sample(name);
    const std::size_t step = text.size() / 50 + 1;
    for (std::size_t at = 0; at < text.size(); at += step) {
      for (const std::string& broken : {text.substr(0, at), text.substr(0, at) + "\x01" + text.substr(at + 1),
                                        text.substr(0, at) + " -1 " + text.substr(at), text.substr(at)}) {
        const Machine got = machine_of({{"it's.txt", broken}});
        CHECK(got.wrong.empty() != got.yaml.empty());
        if (got.wrong.empty()) CHECK_NOTHROW(text::parse(got.yaml, "out.yaml"));
      }
    }
  }
}

}  // namespace
}  // namespace gicsim::imports
