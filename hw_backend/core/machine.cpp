// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "hw_backend/core/machine.h"

#include <sys/utsname.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace gicsim::hw {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// The value of the first "key : value" line of a file.
std::string value_of(const fs::path& file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t at = line.find(separator);
    if (at == line.npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t\"", at + 1);
    const std::size_t end = line.find_last_not_of(" \t\"");
    return begin == line.npos ? "" : line.substr(begin, end + 1 - begin);
  }
  return {};
}

/// Who runs this machine, as far as it admits to it.
std::string hypervisor() {
  std::string found = first_line("/sys/class/dmi/id/sys_vendor");
  const std::string product = first_line("/sys/class/dmi/id/product_name");
  if (!product.empty()) found += (found.empty() ? "" : " ") + product;
  std::ifstream in("/proc/cpuinfo");
  bool guest = false;
  for (std::string line; !guest && std::getline(in, line);)
    if (line.compare(0, 5, "flags") == 0) guest = line.find(" hypervisor") != line.npos;
  if (guest) return found.empty() ? "a hypervisor without a name" : found + " (a hypervisor is there)";
  return found.empty() ? "none seen" : found;
}

void count_aer(const fs::path& device, std::map<std::string, long>& counts) {
  for (const char* kind : {"correctable", "nonfatal", "fatal"}) {
    std::ifstream in(device / ("aer_dev_" + std::string(kind)));
    std::string name;
    for (long n = 0; in >> name >> n;) counts[device.filename().string() + " " + kind + " " + name] = n;
  }
}

}  // namespace

PcieDevice read_pcie(const std::string& address) {
  const fs::path at = fs::path("/sys/bus/pci/devices") / address;
  return {address,
          first_line(at / "current_link_speed"),
          first_line(at / "current_link_width"),
          first_line(at / "max_link_speed"),
          first_line(at / "max_link_width"),
          first_line(at / "numa_node")};
}

std::map<std::string, long> aer_counters(const Machine& machine) {
  std::map<std::string, long> counts;
  const auto count = [&](const std::string& address) {
    std::error_code missing;
    fs::path at = fs::canonical(fs::path("/sys/bus/pci/devices") / address, missing);
    for (; !missing && at.has_filename() && fs::exists(at / "vendor", missing); at = at.parent_path()) count_aer(at, counts);
  };
  for (const GpuInfo& gpu : machine.gpus) count(gpu.pcie.address);
  for (const NicInfo& nic : machine.nics) count(nic.pcie.address);
  return counts;
}

Machine find_machine() {
  Machine machine;
  machine.cpu = value_of("/proc/cpuinfo", "model name", ':');
  machine.hypervisor = hypervisor();
  utsname names{};
  if (uname(&names) == 0) machine.kernel = std::string(names.sysname) + " " + names.release;
  machine.distribution = value_of("/etc/os-release", "PRETTY_NAME", '=');
  machine.cores = static_cast<int>(std::thread::hardware_concurrency());
  find_gpus(machine);
  find_nics(machine);
  return machine;
}

}  // namespace gicsim::hw
