// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// PCIe functions and RDMA ports as sysfs shows them.
#include <sstream>

#include "hw_backend/doctor/config_space.h"
#include "hw_backend/doctor/files.h"
#include "hw_backend/doctor/live.h"

namespace gicsim::hw::checkup {
namespace {

namespace fs = std::filesystem;
using Kind = PciFunction::Kind;

unsigned long hex_in(const fs::path& file) { return std::strtoul(first_line(file).c_str(), nullptr, 16); }

Known<Link> link_of(const fs::path& device) {
  const auto speed = number_in(first_line(device / "current_link_speed")),
             most = number_in(first_line(device / "max_link_speed"));
  const auto lanes = number_in(first_line(device / "current_link_width")),
             widest = number_in(first_line(device / "max_link_width"));
  if (!speed || !lanes) return Known<Link>::unknown("sysfs shows no link speed (a virtual function or machine)");
  return Link{*speed, most.value_or(*speed), static_cast<int>(*lanes), static_cast<int>(widest.value_or(*lanes))};
}

/// BAR1: the second memory region; a 64-bit one takes two lines, of which the second is empty.
Known<std::uint64_t> bar1_of(const fs::path& device) {
  std::ifstream in(device / "resource");
  std::string line;
  for (int region = 0, memory = 0; region < 6 && std::getline(in, line); ++region) {
    unsigned long long begin = 0, end = 0, flags = 0;
    std::istringstream(line) >> std::hex >> begin >> end >> flags;
    if ((flags & 0x200U) != 0 && end > begin && ++memory == 2) return std::uint64_t{end - begin + 1};
  }
  return Known<std::uint64_t>::unknown("sysfs shows no second memory region");
}

Known<std::string> iommu_of(const fs::path& device) {
  std::error_code missing;
  if (!fs::exists(device / "iommu_group", missing)) return std::string("none");
  const std::string type = first_line(device / "iommu_group" / "type");
  return type.empty() ? Known<std::string>::unknown("the IOMMU group's type can't be read") : Known<std::string>(type);
}

/// What a function is to us; none: it doesn't matter.
std::optional<Kind> kind_of(const fs::path& device) {
  const unsigned long class_ = hex_in(device / "class") >> 8U, vendor = hex_in(device / "vendor");
  std::error_code missing;
  if (class_ == 0x0604) return Kind::bridge;
  if (vendor == 0x10de && class_ >> 8U == 0x03) return Kind::gpu;
  if (class_ >> 8U == 0x02 && (vendor == 0x15b3 || fs::exists(device / "infiniband", missing))) return Kind::nic;
  return std::nullopt;
}

Counts counters_in(const fs::path& folder) {
  Counts counts;
  for (const std::string& name : names_in(folder))
    if (const auto value = number_in(first_line(folder / name))) counts[name] = static_cast<long>(*value);
  return counts;
}

void read_netdev(const fs::path& root, const fs::path& at, Port& port) {
  const std::string netdev = first_line(at / "gid_attrs" / "ndevs" / "0");
  if (netdev.empty()) return;
  const fs::path net = root / "sys/class/net" / netdev;
  if (const auto mtu = number_in(first_line(net / "mtu"))) port.netdev_mtu = static_cast<int>(*mtu);
  if (names_in(net / "ecn/roce_np/enable").empty()) {
    port.ecn = Known<bool>::unknown("this driver doesn't show it in sysfs");
    return;
  }
  bool on = false;
  for (const std::string& priority : names_in(net / "ecn/roce_np/enable"))
    on = on || first_line(net / "ecn/roce_np/enable" / priority) == "1";
  port.ecn = on;
}

/// "4: ACTIVE" to "ACTIVE".
std::string behind_colon(const std::string& text) {
  const std::size_t at = text.find(": ");
  return at == text.npos ? text : text.substr(at + 2);
}

Port port_of(const fs::path& root, const fs::path& at, int number) {
  Port port;
  port.number = number;
  port.state = behind_colon(first_line(at / "state"));
  port.physical = behind_colon(first_line(at / "phys_state"));
  port.link_layer = first_line(at / "link_layer");
  if (const auto rate = number_in(first_line(at / "rate"))) port.rate = *rate;
  port.active_mtu = Known<int>::unknown("sysfs doesn't show the MTU; only a program with verbs does");
  std::vector<Gid> gids;
  for (const std::string& index : names_in(at / "gid_attrs" / "types"))
    if (const std::string type = first_line(at / "gid_attrs" / "types" / index); !type.empty())
      gids.push_back({std::atoi(index.c_str()), first_line(at / "gids" / index), type});
  std::sort(gids.begin(), gids.end(), [](const Gid& a, const Gid& b) { return a.index < b.index; });
  port.gids = gids;
  Counts counts = counters_in(at / "hw_counters");
  for (const auto& [name, n] : counters_in(at / "counters")) counts[name] = n;
  port.counters = counts.empty() ? Known<Counts>::unknown("sysfs shows no counters") : Known<Counts>(counts);
  read_netdev(root, at, port);
  return port;
}

}  // namespace

Known<Counts> aer_of(const fs::path& device) {
  Counts counts;
  bool any = false;
  for (const char* kind : {"correctable", "nonfatal", "fatal"}) {
    std::ifstream in(device / ("aer_dev_" + std::string(kind)));
    std::string name;
    for (long n = 0; in >> name >> n; any = true)
      if (n != 0 && name.rfind("TOTAL_", 0) != 0) counts[std::string(kind) + " " + name] = n;
  }
  return any ? Known<Counts>(counts)
             : Known<Counts>::unknown(
                   "the kernel shows no AER counters (the firmware handles errors, or a virtual machine)");
}

void read_pci(const fs::path& root, Evidence& e) {
  const fs::path devices = root / "sys/bus/pci/devices";
  for (const std::string& address : names_in(devices)) {
    std::error_code missing;
    const fs::path device = fs::canonical(devices / address, missing);
    const auto kind = kind_of(device);
    if (missing || !kind) continue;
    PciFunction f;
    f.address = address;
    f.kind = *kind;
    if (const std::string up = device.parent_path().filename().string();
        fs::exists(device.parent_path() / "vendor", missing))
      f.parent = up;
    for (const fs::path& part : device)
      if (part.string().rfind("pci", 0) == 0) f.root_bus = part.string().substr(3);
    if (const auto node = number_in(first_line(device / "numa_node")); node && *node >= 0)
      f.numa_node = static_cast<int>(*node);
    f.link = link_of(device);
    f.iommu = iommu_of(device);
    f.errors = aer_of(device);
    if (f.kind == Kind::nic)
      for (const std::string& name : names_in(device / "infiniband")) f.name = name;
    read_config_space(whole(device / "config"), "needs root (configuration space)", f);
    if (f.kind == Kind::gpu) e.gpu(address).bar1 = bar1_of(device);
    e.functions.push_back(std::move(f));
  }
}

void read_nics(const fs::path& root, Evidence& e) {
  const fs::path all = root / "sys/class/infiniband";
  for (const std::string& name : names_in(all)) {
    Nic nic;
    nic.name = name;
    std::error_code missing;
    nic.address = fs::canonical(all / name / "device", missing).filename().string();
    nic.mlx5 = fs::canonical(all / name / "device/driver", missing).filename() == "mlx5_core";
    nic.firmware = first_line(all / name / "fw_ver");
    for (const std::string& number : names_in(all / name / "ports"))
      nic.ports.push_back(port_of(root, all / name / "ports" / number, std::atoi(number.c_str())));
    e.nics.push_back(std::move(nic));
  }
  if (!e.nics.empty()) return;
  e.no_nic =
      e.of(Kind::nic).empty() ? "no RDMA NIC in sysfs" : "a NIC is there, but no RDMA driver has taken it (mlx5_ib)";
}

}  // namespace gicsim::hw::checkup
