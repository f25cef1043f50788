// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// Drivers, IOMMU and hypervisor of this machine, and the limits of this process.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <sstream>

#include "hw_backend/doctor/files.h"
#include "hw_backend/doctor/live.h"
#include "hw_backend/doctor/saved.h"

namespace gicsim::hw::checkup {
namespace {

namespace fs = std::filesystem;

std::string value_behind(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.rfind(key, 0) == 0)
      if (const std::size_t at = line.find_first_not_of(" \t:", key.size()); at != line.npos) return line.substr(at);
  return {};
}

std::string hypervisor_of(const fs::path& root) {
  const bool guest =
      (" " + value_behind(root / "proc/cpuinfo", "flags") + " ").find(" hypervisor ") != std::string::npos;
  if (!guest) return {};
  const std::string vendor = first_line(root / "sys/class/dmi/id/sys_vendor"),
                    product = first_line(root / "sys/class/dmi/id/product_name");
  if (vendor.empty() && product.empty()) return "a virtual machine";
  return "a virtual machine (" + vendor + (vendor.empty() || product.empty() ? "" : " ") + product + ")";
}

std::string container_of(const fs::path& root) {
  std::error_code missing;
  if (fs::exists(root / ".dockerenv", missing)) return "a Docker container";
  if (fs::exists(root / "run/.containerenv", missing)) return "a Podman container";
  const std::string groups = whole(root / "proc/1/cgroup");
  for (const char* name : {"kubepods", "docker", "containerd", "lxc", "libpod"})
    if (groups.find(name) != std::string::npos) return std::string("a container (") + name + ")";
  return {};
}

/// Folder of this process's cgroup under a controller; the unified one for "".
fs::path cgroup_of(const fs::path& root, const std::string& controller) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t a = line.find(':'), b = line.find(':', a + 1);
    if (a == line.npos || b == line.npos || line.substr(a + 1, b - a - 1) != controller) continue;
    return root / "sys/fs/cgroup" / controller / fs::path(line.substr(b + 1)).relative_path();
  }
  return {};
}

std::vector<std::string> closed_files(const fs::path& root) {
  std::vector<std::string> files, closed;
  for (const std::string& name : names_in(root / "dev"))
    if (name.rfind("nvidia", 0) == 0 && name.rfind("nvidia-caps", 0) != 0) files.push_back("dev/" + name);
  for (const std::string& name : names_in(root / "dev/infiniband"))
    if (name.rfind("uverbs", 0) == 0) files.push_back("dev/infiniband/" + name);
  for (const std::string& file : files) {
    const int fd = ::open((root / file).c_str(), O_RDWR | O_CLOEXEC);  // a device cgroup answers only to a real open
    if (fd >= 0) ::close(fd);
    else if (errno == EACCES || errno == EPERM) closed.push_back("/" + file);
  }
  return closed;
}

}  // namespace

void read_platform(const fs::path& root, Evidence& e) {
  e.platform.hypervisor = hypervisor_of(root);
  std::error_code missing;
  if (fs::exists(root / "sys/class/iommu", missing)) e.platform.iommu = !names_in(root / "sys/class/iommu").empty();
  else e.platform.iommu = Known<bool>::unknown("/sys/class/iommu isn't there");
  e.platform.command_line = first_line(root / "proc/cmdline");

  if (const std::string text = whole(root / "proc/driver/nvidia/version"); !text.empty()) read_driver_version(text, e);
  else
    e.driver.version = Known<std::string>::unknown("/proc/driver/nvidia/version isn't there"),
    e.driver.open = Known<bool>::unknown("/proc/driver/nvidia/version isn't there");
  if (const std::string text = whole(root / "proc/driver/nvidia/params"); !text.empty()) read_driver_params(text, e);
  if (std::ifstream in(root / "proc/modules"); in) {
    std::vector<std::string> modules;
    for (std::string line; std::getline(in, line);) modules.push_back(line.substr(0, line.find(' ')));
    e.driver.modules = modules;
  } else {
    e.driver.modules = Known<std::vector<std::string>>::unknown("/proc/modules isn't there (a kernel without modules)");
  }
  if (e.of(PciFunction::Kind::gpu).empty()) e.no_gpu = "no NVIDIA GPU in sysfs";
}

void read_process(const fs::path& root, Evidence& e) {
  Process& p = e.process;
  p.root = ::geteuid() == 0;
  rlimit limit{};
  if (::getrlimit(RLIMIT_MEMLOCK, &limit) == 0)
    p.memlock = limit.rlim_cur == RLIM_INFINITY ? unlimited : static_cast<std::uint64_t>(limit.rlim_cur);
  const unsigned long long capabilities =
      std::strtoull(value_behind(root / "proc/self/status", "CapEff").c_str(), nullptr, 16);
  p.ipc_lock = (capabilities >> 14U & 1U) != 0;
  const char* scatter = std::getenv("MLX5_SCATTER_TO_CQE");
  p.scatter_to_cqe = std::string(scatter == nullptr ? "" : scatter);
  p.container = container_of(root);
  p.closed_files = closed_files(root);
  std::string most = first_line(cgroup_of(root, "") / "memory.max");
  if (most.empty()) most = first_line(cgroup_of(root, "memory") / "memory.limit_in_bytes");
  if (const auto bytes = number_in(most); bytes && *bytes < 9e18) p.cgroup_memory = static_cast<std::uint64_t>(*bytes);
  std::string rdma = whole(cgroup_of(root, "") / "rdma.max");
  if (rdma.empty()) rdma = whole(cgroup_of(root, "rdma") / "rdma.max");
  std::istringstream lines(rdma);
  std::string limited;
  for (std::string line; std::getline(lines, line);)
    if (line.find("hca_handle=max hca_object=max") == std::string::npos)
      limited += (limited.empty() ? "" : ", ") + line;
  p.cgroup_rdma = limited;
}

}  // namespace gicsim::hw::checkup
