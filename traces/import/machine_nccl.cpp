// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traces/import/detail/cells.h"
#include "traces/import/detail/machine_format.h"
#include "traces/text/xml.h"

/// NCCL's topology, as NCCL_TOPO_DUMP_FILE writes it: CPUs, below them PCI switches (the upstream port stands for each),
/// GPUs and NICs. Its link speeds are the lesser ability of both ends, not what the link trained to.
namespace gicsim::imports::detail {
namespace {

using text::Node;

std::string_view attribute(const Node& element, std::string_view key) {
  const text::Member* member = element.find(key);
  return member == nullptr ? std::string_view{} : std::string_view(member->value.value);
}

class Reader {
 public:
  explicit Reader(MachineFile& found) : found_(found) {}

  void system(const Node& root) {
    for (const Node& cpu : root.items) {
      if (cpu.value != "cpu") continue;
      const Origin at = place(cpu, "cpu");
      check_host(cpu);
      if (!found_.facts.cpu)
        found_.facts.cpu = CpuFacts{std::string(attribute(cpu, "vendor")), std::string(attribute(cpu, "arch")),
                                    count(cpu, "familyid").value_or(-1), count(cpu, "modelid").value_or(-1), at};
      const auto node = count(cpu, "numaid");
      if (attribute(cpu, "numaid") == "-1")
        found_.facts.virtual_signs.push_back({"numaid -1", at});
      const Fact<int> numa{node.value_or(-1), place(cpu, "numaid")};
      for (const Node& child : cpu.items) below(child, nullptr, numa);
    }
  }

 private:
  Origin place(const Node& element, std::string_view what = {}) const { return found_.at(element.at.line, what); }

  std::optional<int> count(const Node& element, std::string_view key) const {
    const auto number = whole(attribute(element, key));
    if (!number || *number > 65535) return std::nullopt;
    return static_cast<int>(*number);
  }

  void check_host(const Node& cpu) {
    const std::string_view host = attribute(cpu, "host_hash");
    if (host.empty()) return;
    const Maybe<std::string> before = found_.facts.host_hash;
    give(found_.facts.host_hash, host, place(cpu));
    if (before && before->value != host)
      found_.mistake(cpu.at.line, cpu.at.column,
                     fmt::format("host_hash {}: another machine than at {}; give files of one machine", host,
                                 to_text(before->at)));
  }

  void below(const Node& element, PciDevice* parent, const Fact<int>& numa) {
    if (element.value == "pci") {
      pci(element, parent, numa);
    } else if (element.value == "nic" && parent == nullptr) {
      for (const Node& net : element.items)
        found_.facts.warn(place(net), fmt::format("'{}' is no PCI device here; left out", attribute(net, "name")));
    } else if (element.value == "nic") {
      for (const Node& net : element.items) rdma(net, *parent);
    } else if (element.value == "gpu" && parent != nullptr) {
      gpu(element, *parent);
    }
  }

  void pci(const Node& element, PciDevice* parent, const Fact<int>& numa) {
    const std::string_view busid = attribute(element, "busid");
    const auto address = pci_address(busid);
    if (!address) {
      found_.mistake(element.at.line, element.at.column,
                     fmt::format("busid '{}' is no PCI address; write it like 0000:18:00.0", busid));
      return;
    }
    PciDevice* device = found_.device(*address, element.at.line, element.at.column);
    if (device == nullptr) return;
    number(device->cls, element, "class", 8);
    number(device->vendor, element, "vendor", 0);
    number(device->model, element, "device", 0);
    if (numa.value >= 0) give(device->numa, numa.value, numa.at);
    if (parent != nullptr) give(device->parent, parent->at, place(element, "tree"));
    if (!device->parent && !device->secondary) device->on_root_bus = true;
    speed(*device, element);
    for (const Node& child : element.items) below(child, device, numa);
    if (device->cls && device->cls->value == 0x0604) give(device->port, Port::upstream, place(element));
  }

  /// Hexadecimal; a class has its interface behind it, in the lowest byte.
  void number(Maybe<int>& field, const Node& element, std::string_view key, int shift) {
    const std::string_view text = attribute(element, key);
    if (const auto id = hexadecimal(text); id && *id <= 0xff'ffff)
      give(field, static_cast<int>(*id >> (text.size() > 6 ? shift : 0)), place(element, key));
  }

  void speed(PciDevice& device, const Node& element) {
    const std::string_view speed = attribute(element, "link_speed");
    if (!speed.empty() && !device.link.speed) {
      device.ability_only = true;
      device.link.speed = Fact<double>{decimal(speed.substr(0, speed.find(' '))).value_or(0), place(element, "link_speed")};
    }
    if (const auto width = count(element, "link_width")) give(device.link.width, *width, place(element, "link_width"));
  }

  void gpu(const Node& element, PciDevice& device) {
    device.is_gpu = true;
    if (const auto sm = count(element, "sm")) give(device.sm, *sm, place(element, "sm"));
    if (device.nvlinks > 0) return;
    for (const Node& link : element.items)
      if (link.value == "nvlink") device.nvlinks += std::min(count(link, "count").value_or(0), 64);
  }

  void rdma(const Node& net, PciDevice& device) {
    const std::string name(attribute(net, "name"));
    const bool direct = attribute(net, "gdr") == "1";
    if (net.value != "net" || name.empty() || (!direct && !begins(name, "mlx") && !begins(name, "rdmap"))) return;
    device.is_nic = true;
    device.rdma.push_back({name, place(net, "net")});
    RdmaDevice& port = found_.facts.rdma[name];
    if (port.seen.file.empty()) port.seen = place(net);
    if (const auto mbps = whole(attribute(net, "speed")); mbps && *mbps > 0 && *mbps <= 10'000'000)
      give(port.gbps, static_cast<double>(*mbps) / 1000, place(net, "speed"));
  }

  MachineFile& found_;
};

bool detect(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of("\xEF\xBB\xBF \t\r\n"), head.size()));
  return begins(head, "<");
}

void read(Input& in, MachineFile& found) {
  const std::string text = in.rest();
  std::vector<Mistake> mistakes;
  const auto root = text::parse_xml(text, found.file(), mistakes);
  if (!root) throw ConfigError(std::move(mistakes));
  if (root->value != "system")
    throw ConfigError(root->at, "<" + root->value + ">: not NCCL's topology; give what NCCL_TOPO_DUMP_FILE wrote, <system>");
  Reader(found).system(*root);
}

}  // namespace

const MachineFormat nccl_topology{"NCCL topology", detect, read};

}  // namespace gicsim::imports::detail
