// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gicsim::hw {

/// A PCIe function as sysfs shows it. Text as read; empty where the file isn't there (virtual machines hide much).
struct PcieDevice {
  std::string address;  ///< 0000:18:00.0
  std::string current_speed, current_width, max_speed, max_width;
  std::string numa_node;
};

struct GpuInfo {
  std::string name, driver, runtime;  ///< "NVIDIA H200"; CUDA versions
  PcieDevice pcie;
  int sms = 0;
  int sm_clock_khz = 0, memory_clock_khz = 0;  ///< the highest; 0: not told
  int compute_major = 0, compute_minor = 0;
};

struct NicInfo {
  std::string name, driver, firmware;  ///< mlx5_0
  PcieDevice pcie;
  bool mlx5 = false;
  bool port_up = false;
  std::string link_layer, rate;
};

/// How two GPUs see each other.
struct PeerLink {
  int from = 0, to = 0;
  std::string name;  ///< "NVLink x18", "PCIe", "none"
};

/// What the program found under it, and why it didn't find more.
struct Machine {
  std::vector<GpuInfo> gpus;
  std::vector<PeerLink> links;
  std::vector<NicInfo> nics;
  std::string no_gpu, no_nic;  ///< the reason, where there is none
  std::string cpu, hypervisor, kernel, distribution;
  int cores = 0;
};

Machine find_machine();

/// Of /sys/bus/pci/devices/ADDRESS.
PcieDevice read_pcie(const std::string& address);
/// Errors that Linux has counted since boot: "0000:18:00.0 correctable RxErr" to a count, of these devices and the ports
/// above them. Empty where the kernel doesn't show them.
std::map<std::string, long> aer_counters(const Machine& machine);

// Each part says what it finds, or why nothing; where the program was built without it, a stand-in says so.
void find_gpus(Machine& machine);
void find_nics(Machine& machine);

}  // namespace gicsim::hw
