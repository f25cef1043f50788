// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// lspci -vvv (pciutils, ls-caps.c and lspci.c), with or without -nn and -D; tabs or, from a copied terminal, blanks.
#include <algorithm>
#include <array>
#include <optional>

#include "hw_backend/doctor/saved.h"
#include "hw_backend/doctor/text.h"

namespace gicsim::hw::checkup {
namespace {

using Kind = PciFunction::Kind;

struct Reading {
  PciFunction function;
  bool relevant = false, network = false;  ///< network: counts once a driver says that it is an RDMA one
  bool bridge = false, denied = false, express = false, capabilities = false;
  int secondary = -1, memory_regions = 0;
  Known<std::uint64_t> bar1 = Known<std::uint64_t>::unknown("lspci shows no second memory region");
  std::optional<DeviceControl> control;
  Link link;
};

Reading device_of(const std::string& line, const std::string& address) {
  Reading r;
  r.function.address = address;
  const std::string rest = trimmed(line.substr(line.find_first_of(" \t")));
  const std::size_t colon = rest.find(": ");
  const std::string class_ = rest.substr(0, colon), name = colon == rest.npos ? "" : rest.substr(colon + 2);
  r.function.name = name.substr(0, name.find(" (rev"));
  const bool mellanox = holds(name, "Mellanox") || holds(name, "15b3:");
  const bool nvidia = holds(name, "NVIDIA") || holds(name, "10de:");
  r.bridge = holds(class_, "PCI bridge") || begins(class_, "0604") || holds(class_, "[0604]");
  const bool display = holds(class_, "3D controller") || holds(class_, "VGA compatible") ||
                       holds(class_, "Display controller") || begins(class_, "030");
  const bool infiniband = holds(class_, "Infiniband controller") || begins(class_, "0207");
  r.network = holds(class_, "Ethernet controller") || holds(class_, "Network controller") || begins(class_, "0200") ||
              begins(class_, "0280");
  r.relevant = r.bridge || (nvidia && display) || infiniband || (mellanox && r.network);
  r.function.kind = r.bridge ? Kind::bridge : nvidia && display ? Kind::gpu : Kind::nic;
  return r;
}

std::uint64_t size_of(const std::string& line) {
  const std::string text = behind(line, "[size=");
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::size_t unit = std::string("KMGT").find(*end);
  return static_cast<std::uint64_t>(value) << (unit == std::string::npos || *end == 0 ? 0U : 10U * (unit + 1));
}

unsigned acs_of(const std::string& line) {
  static constexpr std::array<const char*, 7> names{"SrcValid+",    "TransBlk+",   "ReqRedir+",   "CmpltRedir+",
                                                    "UpstreamFwd+", "EgressCtrl+", "DirectTrans+"};
  unsigned control = 0;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (holds(line, names[i])) control |= 1U << i;
  return control;
}

void flags_of(const std::string& line, const std::string& kind, Known<Counts>& errors) {
  Counts counts = errors ? *errors : Counts{};
  for (const std::string& word : words_of(line))
    if (word.size() > 1 && word.back() == '+' && word != "AdvNonFatalErr+" && word != "NonFatalErr+" &&
        word != "UnsupReq+")
      counts[kind + " " + word.substr(0, word.size() - 1)] = 1;
  errors = counts;
}

void read_detail(const std::string& line, Reading& r) {
  PciFunction& f = r.function;
  if (begins(line, "Bus: primary="))
    r.secondary = static_cast<int>(std::strtol(behind(line, "secondary=").c_str(), nullptr, 16));
  else if (begins(line, "NUMA node:")) f.numa_node = static_cast<int>(number_behind(line, "NUMA node:"));
  else if (begins(line, "IOMMU group:"))
    f.iommu = Known<std::string>::unknown(
        "it has an IOMMU group, but lspci doesn't tell its type: look into /sys/bus/pci/devices/" + f.address +
        "/iommu_group/type");
  else if (begins(line, "Region ") && holds(line, "Memory at") && holds(line, "[size=")) {
    if (++r.memory_regions == 2) r.bar1 = size_of(line);
  } else if (begins(line, "Capabilities: <access denied>")) r.denied = true;
  else if (begins(line, "Capabilities:")) {
    r.capabilities = true;
    r.express = r.express || holds(line, "Express");
  } else if (begins(line, "DevCap:")) {
    r.control = DeviceControl{};
    r.control->most_payload = static_cast<int>(number_behind(line, "MaxPayload"));
  } else if (holds(line, "MaxReadReq") && r.control) {
    r.control->payload = static_cast<int>(number_behind(line, "MaxPayload"));
    r.control->read_request = static_cast<int>(number_behind(line, "MaxReadReq"));
  } else if (begins(line, "LnkCap:")) {
    r.link.most_speed = number_behind(line, "Speed ");
    r.link.most_lanes = static_cast<int>(number_behind(line, "Width x"));
  } else if (begins(line, "LnkSta:")) {
    r.link.speed = number_behind(line, "Speed ");
    r.link.lanes = static_cast<int>(number_behind(line, "Width x"));
    f.link = r.link;
  } else if (begins(line, "ACSCtl:")) f.acs = acs_of(line);
  else if (begins(line, "ATSCtl:")) f.ats = holds(line, "Enable+");
  else if (begins(line, "CESta:")) flags_of(behind(line, ":"), "correctable", f.errors);
  else if (begins(line, "UESta:")) flags_of(behind(line, ":"), "uncorrectable", f.errors);
  else if (begins(line, "Kernel driver in use:"))
    for (const char* driver : {"mlx5_core", "irdma", "bnxt_en", "efa", "ionic"})
      r.relevant = r.relevant || (r.network && holds(line, driver));
  if (holds(line, "RlxdOrd") && r.control) r.control->relaxed_ordering = holds(line, "RlxdOrd+");
}

/// What the text didn't say: absent, or hidden from those who aren't root.
void settle(Reading& r) {
  PciFunction& f = r.function;
  f.iommu.fill(Known<std::string>::unknown("lspci shows no IOMMU group: off, or an old lspci"));
  const std::string why =
      r.denied ? "lspci was saved without root: 'sudo lspci -vvv'" : "'lspci -vvv' wasn't saved with its details";
  if (r.control && r.control->payload > 0) f.control = *r.control;
  else f.control = Known<DeviceControl>::unknown(why);
  if (!r.capabilities || r.denied) {
    f.acs.fill(Known<unsigned>::unknown(why));
    f.ats.fill(Known<bool>::unknown(why));
    f.link.fill(Known<Link>::unknown(why));
    f.errors.fill(Known<Counts>::unknown(why));
    return;
  }
  if (!f.acs) f.acs = 0U;
  if (!f.ats) f.ats = false;
  f.flags_only = true;
  f.link.fill(Known<Link>::unknown("lspci shows no link"));
  f.errors.fill(Known<Counts>::unknown("lspci shows no AER capability"));
}

void connect(std::vector<Reading>& all) {
  const bool whole = std::any_of(all.begin(), all.end(), [](const Reading& r) { return r.secondary > 0; });
  for (Reading& r : all) {
    const std::string domain = r.function.address.substr(0, r.function.address.size() - 8);
    const int bus = static_cast<int>(std::strtol(r.function.address.substr(domain.size() + 1, 2).c_str(), nullptr, 16));
    for (const Reading& up : all)
      if (up.secondary == bus && &up != &r && begins(up.function.address, domain + ":"))
        r.function.parent = up.function.address;
    if (whole || bus == 0) r.function.root_bus = r.function.address.substr(0, domain.size() + 3);
  }
  for (Reading& r : all) {  // of the topmost bridge
    const Reading* top = &r;
    for (std::size_t steps = 0; steps < all.size() && !top->function.parent.empty(); ++steps)
      for (const Reading& up : all)
        if (up.function.address == top->function.parent) {
          top = &up;
          break;
        }
    if (!r.function.root_bus.empty()) r.function.root_bus = top->function.root_bus;
  }
}

}  // namespace

std::string read_lspci(const Lines& lines, Evidence& e) {
  std::vector<Reading> all;
  std::string wrong;
  bool grouped = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const std::string detail = trimmed(line);
    if (detail.empty() || begins(detail, "pcilib:") || begins(detail, "lspci:")) continue;
    const std::vector<std::string> words = words_of(line);
    const std::string address = indent_of(line) == 0 ? address_of(words[0]) : "";
    if (!address.empty() && words.size() > 1) {
      all.push_back(device_of(line, address));
    } else if (!all.empty()) {
      if (indent_of(line) == 0 && wrong.empty())
        wrong = lines.at(i, "neither a device nor an indented detail; the text before it is used");
      if (begins(detail, "!!! Unknown header type") && wrong.empty())
        wrong = lines.at(
            i, all.back().function.address + " doesn't answer (all ones): it has fallen off the bus, or sleeps");
      grouped = grouped || begins(detail, "IOMMU group:");
      read_detail(detail, all.back());
    }
  }
  if (all.empty()) return lines.at(0, "no PCI device in it; save 'sudo lspci -vvv'");
  if (lines.cut() && wrong.empty())
    wrong = lines.at(lines.size() - 1, "ends inside a line: the file is cut; its last device may lack details");
  connect(all);
  if (grouped) e.platform.iommu = true;
  for (Reading& r : all) {
    settle(r);
    if (!r.relevant) continue;
    if (r.function.kind == Kind::gpu) {
      Gpu& gpu = e.gpu(r.function.address);
      gpu.bar1.fill(r.bar1);
      if (gpu.name.empty()) gpu.name = r.function.name;
    }
    if (r.function.kind != Kind::bridge)
      r.function.name.clear();  // lspci knows the model, not the name that programs use
    e.functions.push_back(std::move(r.function));
  }
  return wrong;
}

}  // namespace gicsim::hw::checkup
