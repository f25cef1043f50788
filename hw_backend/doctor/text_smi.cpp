// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0

// nvidia-smi -q (sections by indentation; names changed over the years) and nvidia-smi topo -m.
#include <algorithm>
#include <array>

#include "hw_backend/doctor/config_space.h"
#include "hw_backend/doctor/saved.h"
#include "hw_backend/doctor/text.h"

namespace gicsim::hw::checkup {
namespace {

/// Section names down to a line: "PCI/GPU Link Info/PCIe Generation/Max".
class Sections {
 public:
  std::string path(std::size_t indent, const std::string& key) {
    while (!stack_.empty() && stack_.back().first >= indent) stack_.pop_back();
    stack_.emplace_back(indent, key);
    std::string text;
    for (const auto& [where, name] : stack_) text += (text.empty() ? "" : "/") + name;
    return text;
  }

 private:
  std::vector<std::pair<std::size_t, std::string>> stack_;
};

bool ends(const std::string& text, const std::string& with) {
  return text.size() >= with.size() && text.compare(text.size() - with.size(), with.size(), with) == 0;
}

Known<std::uint64_t> mebibytes(const std::string& value) {
  if (!holds(value, "MiB") && !holds(value, "MB"))
    return Known<std::uint64_t>::unknown("nvidia-smi says '" + value + "'");
  return static_cast<std::uint64_t>(std::strtod(value.c_str(), nullptr)) << 20U;
}

void read_value(const std::string& path, const std::string& value, Gpu& gpu, Link& link, Evidence& e) {
  const bool reason = holds(path, "Clocks Throttle Reasons/") || holds(path, "Clocks Event Reasons/");
  const std::string key = path.substr(path.rfind('/') + 1);
  if (key == "Product Name") gpu.name = value;
  else if (key == "Persistence Mode") gpu.persistence = value == "Enabled";
  else if (ends(path, "FB Memory Usage/Total")) gpu.memory.fill(mebibytes(value));
  else if (ends(path, "BAR1 Memory Usage/Total")) gpu.bar1 = mebibytes(value);
  else if (ends(path, "PCIe Generation/Current"))
    link.speed = speed_of(static_cast<unsigned>(std::atoi(value.c_str())));
  else if (ends(path, "PCIe Generation/Max"))
    link.most_speed = speed_of(static_cast<unsigned>(std::atoi(value.c_str())));
  else if (ends(path, "Link Width/Current")) link.lanes = std::atoi(value.c_str());
  else if (ends(path, "Link Width/Max")) link.most_lanes = std::atoi(value.c_str());
  else if (ends(path, "/Clocks/SM")) gpu.sm_clock = std::atoi(value.c_str());
  else if (ends(path, "/Max Clocks/SM")) gpu.most_sm_clock = std::atoi(value.c_str());
  else if (reason && (begins(key, "HW ") || key == "SW Thermal Slowdown") &&
           (value == "Active" || value == "Not Active")) {
    std::vector<std::string> held = gpu.slowdowns ? *gpu.slowdowns : std::vector<std::string>{};
    if (value == "Active") held.push_back(key);
    gpu.slowdowns = held;
  } else if (key == "Virtualization Mode") {
    if (value == "None" || value == "Host VGPU" || value == "Host VSGA") e.platform.hypervisor.fill(std::string());
    else if (value != "N/A") e.platform.hypervisor = "a virtual machine (nvidia-smi: " + value + ")";
  }
}

void give_link(const Gpu& gpu, const Link& link, Evidence& e) {
  if (link.speed == 0) return;
  for (PciFunction& f : e.functions)
    if (f.address == gpu.address) return f.link.fill(link);
  PciFunction f;
  f.address = gpu.address;
  f.kind = PciFunction::Kind::gpu;
  f.link = link;
  const std::string why = "'sudo lspci -vvv' wasn't saved";
  f.control = Known<DeviceControl>::unknown(why);
  f.errors = Known<Counts>::unknown(why);
  f.iommu = Known<std::string>::unknown(why);
  e.functions.push_back(std::move(f));
}

std::string plain(const std::string& line) {  // a terminal gets its header underlined
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b')
      while (i < line.size() && line[i] != 'm') ++i;
    else text += line[i];
  }
  return text;
}

bool is_gpu(const std::string& name) {
  return begins(name, "GPU") && name.size() > 3 && std::isdigit(static_cast<unsigned char>(name[3])) != 0;
}

bool is_kind(const std::string& cell) {
  static constexpr std::array<const char*, 8> kinds{"X", "SYS", "NODE", "PHB", "PXB", "PIX", "N/A", "?"};
  return std::find(kinds.begin(), kinds.end(), cell) != kinds.end() || (begins(cell, "NV") && cell.size() > 2);
}

}  // namespace

std::string read_nvidia_smi(const Lines& lines, Evidence& e) {
  Sections sections;
  Gpu* gpu = nullptr;
  Link link;
  int attached = 0, found = 0;
  std::string wrong;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string text = trimmed(lines[i]);
    if (text.empty() || begins(text, "====")) continue;
    if (begins(text, "GPU ") && !address_of(text.substr(4)).empty()) {
      if (gpu != nullptr) give_link(*gpu, link, e);
      gpu = &e.gpu(address_of(text.substr(4)));
      link = {};
      ++found;
    }
    if (begins(text, "NVIDIA-SMI has failed") || begins(text, "Unable to determine the device handle") ||
        begins(text, "No devices were found"))
      wrong = lines.at(i, "nvidia-smi says: " + text);
    const std::size_t colon = text.find(" : ");
    const std::string key = trimmed(text.substr(0, colon == text.npos ? text.size() : colon));
    const std::string value = colon == text.npos ? "" : trimmed(text.substr(colon + 3));
    const std::string path = sections.path(indent_of(lines[i]), key);
    if (gpu == nullptr && key == "Driver Version") e.driver.version.fill(value);
    if (gpu == nullptr && key == "Attached GPUs") attached = std::atoi(value.c_str());
    if (gpu != nullptr && !value.empty()) read_value(path, value, *gpu, link, e);
  }
  if (gpu != nullptr) give_link(*gpu, link, e);
  if (wrong.empty() && found == 0) wrong = lines.at(0, "no GPU in it; save 'nvidia-smi -q'");
  if (wrong.empty() && found < attached)
    wrong = lines.at(lines.size() - 1, "speaks of " + std::to_string(attached) + " GPUs and holds " +
                                           std::to_string(found) + ": the file is cut, or -i left some out");
  return wrong;
}

std::string read_topo(const Lines& lines, Evidence& e) {
  std::vector<std::string> columns;
  std::vector<Evidence::Told> told;
  std::string wrong;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::vector<std::string> words = words_of(plain(lines[i]));
    if (words.empty()) continue;
    if (columns.empty() && is_gpu(words[0]) && (words.size() == 1 || words[1] != "X")) {
      for (const std::string& word : words) {
        if (word == "CPU") break;
        columns.push_back(word);
      }
      continue;
    }
    if (begins(words[0], "NIC") && words[0].back() == ':' && words.size() == 2) {  // the legend: NIC0: mlx5_0
      const std::string alias = words[0].substr(0, words[0].size() - 1);
      for (Evidence::Told& t : told)
        if (t.nic == alias) t.nic = words[1];
      continue;
    }
    if (columns.empty() || words.size() < 2 || !is_kind(words[1])) continue;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const bool nic_row = !is_gpu(words[0]);
      if (c + 1 >= words.size() || !is_kind(words[c + 1])) {
        if (wrong.empty())
          wrong = lines.at(i, words[0] + " has no entry for " + columns[c] + ": the table is cut or folded");
        break;
      }
      if (nic_row && is_gpu(columns[c])) told.push_back({columns[c], words[0], words[c + 1]});
      if (!nic_row && !is_gpu(columns[c])) told.push_back({words[0], columns[c], words[c + 1]});
    }
  }
  if (columns.empty()) return lines.at(0, "no matrix in it; save 'nvidia-smi topo -m'");
  e.distances = told;
  return wrong;
}

}  // namespace gicsim::hw::checkup
