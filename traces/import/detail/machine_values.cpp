// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/machine_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "traces/import/detail/machine_link.h"
#include "traces/import/detail/machine_models.h"

namespace gicsim::imports::detail {
namespace {

constexpr int newest = 5;  // generation that links are modelled to
constexpr std::array speeds = {0.0, 2.5, 5.0, 8.0, 16.0, 32.0, 64.0};

std::string_view without_number(std::string_view word) { return word.substr(0, word.find_last_not_of("0123456789") + 1); }

Value measured(std::string text, const Origin& at) { return {std::move(text), "measured", {at}, {}}; }
Value guess(std::string text, std::string why) { return {std::move(text), "assumed", {}, std::move(why)}; }

int modelled_lanes(int width) { return width >= 16 ? 16 : width == 12 ? 8 : width; }

}  // namespace

std::string shown(const TreeNode& node) {
  return node.device == nullptr ? node.name : fmt::format("{} ({})", node.name, to_text(node.device->at));
}

bool means(std::string_view pattern, std::string_view key) {
  while (true) {
    const std::size_t a = pattern.rfind('.'), b = key.rfind('.');
    const std::string_view word = a == pattern.npos ? pattern : pattern.substr(a + 1);
    const std::string_view other = b == key.npos ? key : key.substr(b + 1);
    if (word != other && word != without_number(other)) return false;
    if (a == pattern.npos) return true;
    if (b == key.npos) return false;
    pattern = pattern.substr(0, a);
    key = key.substr(0, b);
  }
}

MachineValues::MachineValues(const MachineTree& tree, MachineFacts& facts, const MachineSaid& said)
    : tree_(tree), facts_(facts), said_(said), values_(tree.nodes.size()) {
  for (const TreeNode& node : tree.nodes)
    if (const auto layer = is_ethernet(node)) ethernet_ = *layer;
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {  // what is below a switch comes before it
    parts(tree.nodes[i], values_[i]);
    link(tree.nodes[i], values_[i]);
    port(tree.nodes[i], values_[i]);
    slot(tree.nodes[i], values_[i]);
    if (tree.nodes[i].role == Role::nic) cable(tree.nodes[i], values_[i]);
  }
}

std::optional<bool> MachineValues::is_ethernet(const TreeNode& node) const {
  if (node.role != Role::nic) return std::nullopt;
  if (const RdmaDevice* port = rdma(node); port != nullptr && port->ethernet) return port->ethernet->value;
  if (node.device == nullptr || !node.device->cls) return std::nullopt;
  return node.device->cls->value == 0x0200;
}

bool MachineValues::overridden(const std::string& key) const {
  return std::any_of(said_.set.begin(), said_.set.end(), [&](const auto& one) { return means(one.first, key); });
}

void MachineValues::assume(const std::string& what) {
  if (std::find(assumed_.begin(), assumed_.end(), what) == assumed_.end()) assumed_.push_back(what);
}

const RdmaDevice* MachineValues::rdma(const TreeNode& node) const {
  const auto found = facts_.rdma.find(node.rdma);
  return found == facts_.rdma.end() ? nullptr : &found->second;
}

void MachineValues::link(const TreeNode& node, NodeValues& values) {
  int child_generation = 0, child_lanes = 0;
  double fastest = 0;
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
    if (tree_.nodes[i].parent < 0 || &tree_.nodes[static_cast<std::size_t>(tree_.nodes[i].parent)] != &node) continue;
    const double rate = speeds[static_cast<std::size_t>(values_[i].generation)] * values_[i].lanes;
    if (rate <= fastest) continue;
    fastest = rate;
    child_generation = values_[i].generation;
    child_lanes = values_[i].lanes;
  }
  const bool is_switch = node.role == Role::pcie_switch;
  const int usual = node.role == Role::gpu && node.device != nullptr ? gpu_model(*node.device).generation
                    : node.role == Role::nic && node.device != nullptr ? nic_model(*node.device, rdma(node)).generation
                    : node.role == Role::dma                           ? 4
                                                                       : newest;
  const int least = node.role == Role::gpu || node.role == Role::nic ? usual - 1 : 0;
  LinkReading reading;
  if (node.device != nullptr) reading = read_link(*node.device, node.slot, node.role == Role::gpu, least, fastest);
  const auto take = [&](const char* name, const Maybe<int>& read, int most, int otherwise) {
    const std::string key = fmt::format("pcie.{}", name);
    if (!read) {
      const char* why = is_switch && fastest > 0 ? "as the fastest below it" : "no file says it";
      values.set.push_back({key, guess(std::to_string(otherwise), why)});
      if (!overridden(node.name + "." + key))
        assume(is_switch && fastest > 0 ? "uplinks of switches are taken as fast as the fastest link below them"
                                        : "links of which no file tells are taken at their device's best, x16");
      return otherwise;
    }
    const int number = most == 16 ? modelled_lanes(read->value) : std::min(read->value, most);
    Value value = measured(std::to_string(number), read->at);
    if (number != read->value) value.why = fmt::format("{}, of which {} are modelled", read->value, number);
    if (most == newest && reading.idle) {
      value.word = "derived";
      value.why = "an idle GPU slows its link";
    }
    values.set.push_back({key, std::move(value)});
    return number;
  };
  values.generation = take("generation", reading.generation, newest, is_switch && fastest > 0 ? child_generation : std::min(usual, newest));
  values.lanes = take("lanes", reading.lanes, 16, is_switch && fastest > 0 ? child_lanes : node.role == Role::dma ? 4 : 16);

  const std::string set = fmt::format("{}.pcie.{{generation,lanes}}", node.name);
  const bool said = overridden(node.name + ".pcie.lanes") || overridden(node.name + ".pcie.generation");
  if (!reading.impossible.empty())
    facts_.warn(reading.at, fmt::format("{} reports {}, which can't be: {}", shown(node), reading.impossible,
                                        said ? std::string("what --set says is taken")
                                             : fmt::format("generation {} x{} taken; --set {}.pcie.lanes=16 (or generation) says otherwise",
                                                           values.generation, values.lanes, node.name)));
  if (reading.idle)
    facts_.warn(reading.at, fmt::format("{} runs at 2.5 GT/s, as idle GPUs do: generation {} taken, what it is able to; read it under load "
                                        "or --set {}.pcie.generation=1", shown(node), values.generation, node.name));
  else if (!reading.degraded.empty())
    facts_.warn(reading.at, fmt::format("{} is degraded: {}", shown(node), reading.degraded));
  if (node.device != nullptr && node.device->ability_only && !facts_.virtual_signs.empty() && reading.impossible.empty() && !said &&
      values.generation < std::min(usual, newest) && least > 0)
    facts_.warn(reading.at, fmt::format("{} reports generation {}, but can do {}: a hypervisor's ports may show less than there is; "
                                        "--set {}.pcie.generation={} says otherwise", shown(node), values.generation, usual, node.name, usual));
}

void MachineValues::port(const TreeNode& node, NodeValues& values) {
  if (node.role == Role::pcie_switch || node.device == nullptr) return;
  const PciDevice& device = *node.device;
  const auto size = [&](const char* key, const Maybe<int>& bytes) {
    if (!bytes || bytes->value < 128 || bytes->value > 4096 || (bytes->value & (bytes->value - 1)) != 0) return;
    values.set.push_back({key, measured(fmt::format("{} B", bytes->value), bytes->at)});
  };
  size("port.mps", device.mps);
  if (node.role != Role::gpu) size("port.mrrs", device.mrrs);  // GPUs ask for less than they may: a part's own figure
  if (device.ten_bit_tag && device.ten_bit_tag->value) {
    values.set.push_back({"port.tags", measured("768", device.ten_bit_tag->at)});
    values.set.back().value.why = "10BitTagReq+";
  } else if (device.ext_tag) {
    values.set.push_back({"port.tags", measured(device.ext_tag->value ? "256" : "32", device.ext_tag->at)});
    values.set.back().value.why = device.ext_tag->value ? "ExtTag+" : "ExtTag-";
    if (device.ten_bit_able && !device.ten_bit_tag)
      assume("256 tags where lspci doesn't print whether 10-bit tags are enabled");
  }
}

void MachineValues::slot(const TreeNode& node, NodeValues& values) {
  if (node.slot == nullptr || !node.slot->acs) return;
  const Acs& acs = node.slot->acs->value;
  const auto bit = [&](const char* key, bool on) {
    values.set.push_back({fmt::format("slot.acs_{}", key), measured(on ? "true" : "false", node.slot->acs->at)});
  };
  bit("request_redirect", acs.request_redirect);
  bit("completion_redirect", acs.completion_redirect);
  bit("direct_translated", acs.direct_translated);
  bit("translation_blocking", acs.translation_blocking);
  bit("upstream_forwarding", acs.upstream_forwarding);
}

void MachineValues::parts(const TreeNode& node, NodeValues& values) {
  const auto stand_in = [&](const Model& model) {
    values.part = model.part;
    if (!model.exact) assume(fmt::format("{} stands in for {}", model.part, model.name));
  };
  if (node.role == Role::dma) {
    values.part = "dma_ideal";
    assume("dma_ideal, which its link alone slows, stands in for disks");
  } else if (node.role == Role::gpu) {
    stand_in(node.device != nullptr ? gpu_model(*node.device) : Model{0, "a GPU that no file names", "h100_sxm"});
  } else if (node.role == Role::nic) {
    const PciDevice nothing{};
    stand_in(nic_model(node.device != nullptr ? *node.device : nothing, rdma(node)));
  }
}

void MachineValues::cable(const TreeNode& node, NodeValues& values) {
  const RdmaDevice* port = rdma(node);
  const bool six = values.part == "connectx6";
  const bool down = port != nullptr && port->active && !*port->active;
  if (down) facts_.warn(port->seen, fmt::format("{} ({}): its port is down; its rate is assumed", node.rdma, node.name));
  const bool known = port != nullptr && port->gbps && !down;
  const double gbps = known ? port->gbps->value : six ? 200 : 400;
  const bool ethernet = is_ethernet(node).value_or(ethernet_);
  const bool fast = gbps > 200;
  values.link_part = ethernet ? (fast ? "roce400_cable" : "roce200_cable") : fast ? "ndr400_cable" : six ? "hdr200_cable" : "ndr200_cable";
  fabric_switch_ = ethernet ? "ethernet_400g" : values.link_part == "hdr200_cable" ? "qm8700" : "quantum2";
  if (known && node.rdma_by_order) assume("RDMA devices are matched to NICs by the order of their addresses");
  if (!known) assume(fmt::format("cables of {} Gbps where no file tells a NIC's rate", gbps));
  if (known) values.set.push_back({"link.rate", measured(fmt::format("{} Gbps", gbps), port->gbps->at)});
}

}  // namespace gicsim::imports::detail
