// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "hw_backend/doctor/check.h"
#include "hw_backend/doctor/config_space.h"
#include "hw_backend/doctor/live.h"

namespace gicsim::hw::checkup {
namespace {

namespace fs = std::filesystem;

/// A root folder with files of Linux's making.
class Root {
 public:
  Root() : at_(fs::temp_directory_path() / ("gicsim_doctor_" + std::to_string(::getpid()))) { fs::remove_all(at_); }
  ~Root() { fs::remove_all(at_); }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  operator const fs::path&() const { return at_; }
  void file(const std::string& name, const std::string& text) const {
    fs::create_directories((at_ / name).parent_path());
    std::ofstream(at_ / name, std::ios::binary) << text;
  }
  void link(const std::string& name, const std::string& target) const {
    fs::create_directories((at_ / name).parent_path());
    fs::create_directories(at_ / target);
    fs::create_directory_symlink(at_ / target, at_ / name);
  }
  void device(const std::string& path, const std::string& vendor, const std::string& class_,
              const std::string& config) const {
    const std::string at = "sys/devices/" + path + "/";
    file(at + "vendor", vendor + "\n");
    file(at + "class", class_ + "\n");
    file(at + "config", config);
    file(at + "current_link_speed", "16.0 GT/s PCIe\n");
    file(at + "max_link_speed", "32.0 GT/s PCIe\n");
    file(at + "current_link_width", "16\n");
    file(at + "max_link_width", "16\n");
    file(at + "numa_node", "1\n");
    link("sys/bus/pci/devices/" + fs::path(path).filename().string(), "sys/devices/" + path);
  }

 private:
  fs::path at_;
};

/// 4 KiB of configuration space: an Express capability at 0x60, AER at 0x100, ACS at 0x148, ATS at 0x150.
std::string config_space(unsigned acs, bool ats) {
  std::string bytes(4096, '\0');
  const auto word = [&](std::size_t at, unsigned value) {
    bytes[at] = static_cast<char>(value & 0xffU);
    bytes[at + 1] = static_cast<char>(value >> 8U & 0xffU);
  };
  word(0x34, 0x40);
  word(0x40, 0x6001);  // power management, then 0x60
  word(0x60, 0x0010);
  word(0x64, 0x0002);  // 512 B at most
  word(0x68, 0x5030);  // MRRS 4096, MPS 256, relaxed ordering
  word(0x6c, 0x0105);  // x16 at 32 GT/s
  word(0x72, 0x0084);  // x8 at 16 GT/s
  word(0x100, 0x0001), word(0x102, 0x1481);
  word(0x148, 0x000d), word(0x14a, 0x1501), word(0x14e, acs);
  word(0x150, 0x000f), word(0x152, 0x0001), word(0x156, ats ? 0x8000 : 0);
  return bytes;
}

TEST_CASE("configuration space: control words where the specification puts them") {
  PciFunction f;
  read_config_space(config_space(0x1d, true), "needs root", f);
  CHECK(*f.acs == 0x1d);
  CHECK(*f.ats);
  CHECK(f.control->relaxed_ordering);
  CHECK(f.control->payload == 256);
  CHECK(f.control->most_payload == 512);
  CHECK(f.control->read_request == 4096);
  CHECK(f.link->speed == 16);
  CHECK(f.link->lanes == 8);
  CHECK(f.link->most_speed == 32);
  CHECK(f.link->most_lanes == 16);
}

TEST_CASE(
    "configuration space: 64 bytes for those who aren't root, 256 in some virtual machines, and a list in a circle") {
  PciFunction user, guest, circle;
  read_config_space(config_space(0, false).substr(0, 64), "needs root", user);
  CHECK(user.acs.why() == "needs root");
  read_config_space(config_space(0, false).substr(0, 256), "needs root", guest);
  CHECK(guest.control->payload == 256);
  CHECK(guest.acs.why() == "the kernel shows no extended configuration space");
  std::string bytes = config_space(0, false);
  bytes[0x41] = 0x40;
  bytes[0x103] = 0x10;
  bytes[0x102] = 0x01;
  read_config_space(bytes, "needs root", circle);
  CHECK(!circle.control);
  CHECK(*circle.acs == 0);
}

TEST_CASE("sysfs: a GPU and a NIC under one root port") {
  const Root root;
  const std::string port = "pci0000:15/0000:15:01.0";
  root.device(port, "0x8086", "0x060400", config_space(0, false));
  root.device(port + "/0000:18:00.0", "0x10de", "0x030200", config_space(0, false));
  root.device(port + "/0000:19:00.0", "0x15b3", "0x020000", config_space(0, false));
  root.device(port + "/0000:20:00.0", "0x8086", "0x020000", config_space(0, false));  // Ethernet without RDMA
  root.file("sys/devices/" + port + "/0000:18:00.0/resource",
            "0x0000000010000000 0x0000000010ffffff 0x000000000014220c\n0x0 0x0 0x0\n"
            "0x0000004000000000 0x0000005fffffffff 0x000000000014220c\n0x0 0x0 0x0\n0x0 0x0 0x0\n0x0 0x0 0x0\n");
  root.file("sys/devices/" + port + "/0000:18:00.0/aer_dev_correctable", "RxErr 2\nBadTLP 0\nTOTAL_ERR_COR 2\n");
  root.file("sys/devices/" + port + "/0000:18:00.0/iommu_group/type", "DMA-FQ\n");
  const std::string nic = "sys/devices/" + port + "/0000:19:00.0/infiniband/mlx5_0/";
  root.file(nic + "fw_ver", "28.43.1014\n");
  root.file(nic + "ports/1/state", "4: ACTIVE\n");
  root.file(nic + "ports/1/phys_state", "5: LinkUp\n");
  root.file(nic + "ports/1/link_layer", "Ethernet\n");
  root.file(nic + "ports/1/rate", "400 Gb/sec (4X NDR)\n");
  root.file(nic + "ports/1/gids/3", "0000:0000:0000:0000:0000:ffff:c000:0201\n");
  root.file(nic + "ports/1/gid_attrs/types/3", "RoCE v2\n");
  root.file(nic + "ports/1/gid_attrs/ndevs/0", "eth2\n");
  root.file(nic + "ports/1/hw_counters/out_of_sequence", "12\n");
  root.file("sys/class/net/eth2/mtu", "1500\n");
  root.file("sys/class/net/eth2/ecn/roce_np/enable/3", "0\n");
  root.link("sys/class/infiniband/mlx5_0", nic);
  root.link("sys/bus/pci/drivers/mlx5_core", "sys/module/mlx5_core");
  Evidence e;
  read_pci(root, e);
  read_nics(root, e);
  REQUIRE(e.functions.size() == 3);
  const PciFunction& gpu = *e.at("0000:18:00.0");
  CHECK(gpu.parent == "0000:15:01.0");
  CHECK(gpu.root_bus == "0000:15");
  CHECK(*gpu.numa_node == 1);
  CHECK(gpu.link->speed == 16);
  CHECK(*gpu.iommu == "DMA-FQ");
  CHECK(*gpu.errors == Counts{{"correctable RxErr", 2}});
  CHECK(*e.gpus.at(0).bar1 == 128ULL << 30U);
  CHECK(e.at("0000:19:00.0")->name == "mlx5_0");
  REQUIRE(e.nics.size() == 1);
  const Port& p = e.nics[0].ports.at(0);
  CHECK(p.state == "ACTIVE");
  CHECK(*p.rate == 400);
  CHECK(*p.netdev_mtu == 1500);
  CHECK(*p.ecn == false);
  CHECK(p.counters->at("out_of_sequence") == 12);
  CHECK(p.gids->at(0).type == "RoCE v2");
  CHECK(judge_gid(e).verdict == Verdict::pass);
  CHECK(judge_mtu(e).verdict == Verdict::warn);
  CHECK(judge_iommu(e).verdict == Verdict::fail);
}

TEST_CASE("host: drivers, hypervisor, container, limits") {
  const Root root;
  root.file("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme hypervisor sse\n");
  root.file("sys/class/dmi/id/sys_vendor", "QEMU\n");
  root.file("sys/class/iommu/dmar0/uevent", "");
  root.file("proc/cmdline", "ro iommu=pt\n");
  root.file("proc/modules",
            "nvidia_peermem 16384 0 - Live 0x0000000000000000\nnvidia 100 1 nvidia_peermem, Live 0x0\n");
  root.file("proc/driver/nvidia/version",
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.216.03  Thu Apr  3 2025\n");
  root.file("proc/driver/nvidia/params", "ResmanDebugLevel: 1\nRegistryDwords: \"PeerMappingOverride=1;\"\n");
  root.file("proc/1/cgroup", "0::/kubepods/besteffort/pod1\n");
  root.file("proc/self/cgroup", "0::/box\n");
  root.file("proc/self/status", "CapEff:\t0000000000004000\n");
  root.file("sys/fs/cgroup/box/memory.max", "1073741824\n");
  root.file("sys/fs/cgroup/box/rdma.max",
            "mlx5_0 hca_handle=2 hca_object=2000\nmlx5_1 hca_handle=max hca_object=max\n");
  Evidence e;
  read_platform(root, e);
  read_process(root, e);
  CHECK(*e.platform.hypervisor == "a virtual machine (QEMU)");
  CHECK(*e.platform.iommu);
  CHECK(*e.driver.version == "535.216.03");
  CHECK(!*e.driver.open);
  CHECK(*e.driver.registry == "\"PeerMappingOverride=1;\"");
  CHECK(e.driver.modules->size() == 2);
  CHECK(*e.process.container == "a container (kubepods)");
  CHECK(*e.process.ipc_lock);
  CHECK(*e.process.cgroup_memory == 1ULL << 30U);
  CHECK(*e.process.cgroup_rdma == "mlx5_0 hca_handle=2 hca_object=2000");
}

TEST_CASE("host: an empty root gives unknowns, never a crash") {
  const Root root;
  root.file("etc/hostname", "x\n");
  Evidence e;
  read_pci(root, e);
  read_nics(root, e);
  read_platform(root, e);
  read_process(root, e);
  CHECK(!e.has_gpu());
  CHECK(!e.has_nic());
  CHECK(!e.driver.modules);
  CHECK(!e.platform.iommu);
}

}  // namespace
}  // namespace gicsim::hw::checkup
