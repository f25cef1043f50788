// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/machine_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "traces/import/detail/machine_models.h"
#include "traces/import/detail/machine_settings.h"

namespace gicsim::imports::detail {
namespace {

constexpr std::array roles = {Role::pcie_switch, Role::gpu, Role::nic, Role::dma};  // in the order of a file
constexpr std::size_t most_bridges = 16;

std::string plural(std::int64_t n, std::string_view word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

class Writer {
 public:
  Writer(const MachineTree& tree, const MachineValues& values, const MachineFacts& facts, const MachineSaid& said)
      : tree_(tree), values_(values), facts_(facts), said_(said) {}

  std::string write(const std::vector<std::string>& files) {
    std::string from;
    for (const std::string& file : files) from += (from.empty() ? "" : ", ") + one_line(file);
    text_ = "# Written by 'gicsim import machine' from " + from + "\n";
    const CpuModel cpu = cpu_model(facts_);
    line("about", quoted(about()));
    line("nodes", std::to_string(said_.nodes));
    line("attach", "tree");
    line("sockets", std::to_string(tree_.sockets));
    line("fabric_switches", tree_.of(Role::nic).empty() ? "0" : "1");
    text_ += "notes:\n";
    note("made by 'gicsim import machine': latencies, which no tool shows, are of the parts");
    note(fmt::format("{} stands in for the CPU; the files name {}", cpu.part, cpu.name));
    note(fmt::format("{} nodes alike, one fabric switch between them, are assumed", said_.nodes));
    for (const std::string& what : values_.assumed()) note("assumed: " + what);
    tree();
    nearest();
    beside();
    parts(cpu);
    text_ += settings_text(tree_, values_, said_);
    if (!facts_.warnings.empty()) text_ += "# Warnings of the reader:\n";
    for (const std::string& warning : facts_.warnings) text_ += "#   " + one_line(warning) + "\n";
    return std::move(text_);
  }

 private:
  void line(std::string_view key, std::string_view value) { text_ += fmt::format("{}: {}\n", key, value); }
  void note(const std::string& what) { text_ += "  - " + quoted(what) + "\n"; }

  std::string about() const {
    const auto count = [&](Role role, const char* word) {
      const std::size_t n = tree_.of(role).size();
      return n == 0 ? std::string{} : ", " + plural(static_cast<std::int64_t>(n), word);
    };
    return fmt::format("{} of {}{}{}{}", plural(said_.nodes, "node"), plural(tree_.sockets, "socket"), count(Role::gpu, "GPU"), count(Role::nic, "NIC"),
                       count(Role::dma, "disk"));
  }

  std::string place(const TreeNode& node) const {
    if (node.parent >= 0) return tree_.nodes[static_cast<std::size_t>(node.parent)].name;
    for (std::size_t i = 0; i < bridges_.size(); ++i)
      if (bridges_[i].second == node.root_bus) return fmt::format("bridge{}", i);
    return fmt::format("root{}", node.socket);
  }

  /// A socket's first host bridge is its root complex's own; the others are shown.
  void find_bridges() {
    std::set<int> begun;
    std::set<std::int64_t> seen;
    for (const TreeNode& node : tree_.nodes) {
      if (node.parent >= 0 || node.root_bus == -1 || !seen.insert(node.root_bus).second) continue;
      if (!begun.insert(node.socket).second && bridges_.size() < most_bridges) bridges_.emplace_back(node.socket, node.root_bus);
    }
  }

  void tree() {
    find_bridges();
    text_ += "tree:\n";
    for (std::size_t i = 0; i < bridges_.size(); ++i)
      text_ += fmt::format("  bridge{}: root{}  # a further host bridge, {}\n", i, bridges_[i].first,
                           bridges_[i].second < 0 ? fmt::format("of NUMA node {}", numa_bus(0) - bridges_[i].second)
                                                  : fmt::format("{:04x}:{:02x}", bridges_[i].second >> 8, bridges_[i].second & 0xff));
    std::size_t width = 0;
    for (const TreeNode& node : tree_.nodes) width = std::max(width, node.name.size() + 2 + place(node).size());
    for (const Role role : roles) {
      for (const TreeNode* node : tree_.of(role)) {
        std::string what;
        const auto add = [&what](const std::string& one) { what += (what.empty() ? "" : ", ") + one; };
        if (node->device != nullptr) add(to_text(node->device->at));
        if (!node->rdma.empty()) add(node->rdma);
        if (node->device != nullptr && node->device->name) add(node->device->name->value);
        if (node->numa >= 0) add(fmt::format("NUMA node {}", node->numa));
        if (!what.empty()) what += " ";
        text_ += fmt::format("  {:<{}}  # {}({})\n", fmt::format("{}: {}", node->name, place(*node)), width,
                             one_line(what), one_line(to_text(node->placed)));
      }
    }
  }

  /// As a scenario's `flows` has it.
  void nearest() {
    const auto gpus = tree_.of(Role::gpu), nics = tree_.of(Role::nic);
    if (nics.empty()) return;
    std::string all;
    for (const TreeNode* gpu : gpus) {
      const TreeNode* best = nullptr;
      const auto rank = [&](const TreeNode* nic) { return rank_of(tree_.distance(*gpu, *nic)); };
      for (const TreeNode* nic : nics)  // its own of several that are as near
        if (best == nullptr || rank(nic) < rank(best) || (rank(nic) == rank(best) && nic->name.substr(3) == gpu->name.substr(3)))
          best = nic;
      all += fmt::format("{}{}-{} {}", all.empty() ? "" : ", ", gpu->name, best->name, tree_.distance(*gpu, *best));
    }
    text_ += "# nearest NICs: " + all + "\n";
  }

  /// Said by the files, and no parameter.
  void beside() {
    int nvlinks = 0;
    std::string groups, ats;
    for (const TreeNode& node : tree_.nodes) {
      if (node.device == nullptr || node.role == Role::pcie_switch) continue;
      nvlinks = std::max(nvlinks, node.device->nvlinks);
      if (node.device->iommu) groups += fmt::format("{}{} {}", groups.empty() ? "" : ", ", node.name, node.device->iommu->value);
      if (node.device->ats) ats += fmt::format("{}{} {}", ats.empty() ? "" : ", ", node.name, node.device->ats->value ? "on" : "off");
    }
    if (nvlinks > 0) text_ += fmt::format("# NVLinks of a GPU, which aren't modelled: {}\n", nvlinks);
    if (!groups.empty()) text_ += "# IOMMU groups: " + groups + "\n";
    if (!ats.empty()) text_ += "# address translation services (ATS): " + ats + "\n";
  }

  void parts(const CpuModel& cpu) {
    text_ += "parts:\n";
    const auto part = [this](std::string_view key, std::string_view name) { text_ += fmt::format("  {}: {}\n", key, name); };
    part("host", cpu.part);
    part("root", cpu.part);
    if (tree_.sockets > 1) part("upi", cpu.part == "epyc_7742" ? "xgmi" : "upi");
    int newest = 0;
    for (const TreeNode& node : tree_.nodes) newest = std::max(newest, values_.of(node).generation);
    part("pcie", newest >= 5 ? "pcie5_x16" : "pcie4_x16");
    for (const Role role : roles) {
      const auto of = [&](const TreeNode* node) {
        return role == Role::pcie_switch ? switch_model(node->device, values_.of(*node).generation).part : values_.of(*node).part;
      };
      each(role, role == Role::pcie_switch ? "pcie_switch" : kind_of(role), of, "");
      if (role == Role::nic) each(role, "link", [&](const TreeNode* node) { return values_.of(*node).link_part; }, ".link");
    }
    if (!tree_.of(Role::nic).empty()) part("switch", values_.fabric_switch());
  }

  /// The first one's part for all of a kind, and by name those that differ.
  template <class Of>
  void each(Role role, std::string_view kind, Of of, std::string_view suffix) {
    const auto nodes = tree_.of(role);
    if (nodes.empty()) return;
    text_ += fmt::format("  {}: {}\n", kind, of(nodes.front()));
    for (const TreeNode* node : nodes)
      if (of(node) != of(nodes.front())) text_ += fmt::format("  {}{}: {}\n", node->name, suffix, of(node));
  }

  const MachineTree& tree_;
  const MachineValues& values_;
  const MachineFacts& facts_;
  const MachineSaid& said_;
  std::vector<std::pair<int, std::int64_t>> bridges_;  // socket, root bus
  std::string text_;
};

}  // namespace

std::string machine_yaml(const MachineTree& tree, const MachineValues& values, const MachineFacts& facts,
                         const MachineSaid& said, const std::vector<std::string>& files) {
  return Writer(tree, values, facts, said).write(files);
}

}  // namespace gicsim::imports::detail
