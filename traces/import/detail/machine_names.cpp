// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/machine_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gicsim::imports::detail {
namespace {

constexpr std::size_t most = 16;  // of a kind
constexpr std::array<std::string_view, 4> kinds = {"switch", "gpu", "nic", "dma"};
constexpr std::array<std::string_view, 5> distances = {"PIX", "PXB", "PHB", "NODE", "SYS"};

int number_of(const TreeNode& node) { return std::stoi(node.name.substr(kind_of(node.role).size())); }

void name_switches(MachineTree& tree) {
  int switches = 0;
  for (TreeNode& node : tree.nodes)
    if (node.role == Role::pcie_switch) node.name = fmt::format("switch{}", switches++);
}

/// What is kept stays in its order; parents that go are replaced by their own.
void remove(MachineTree& tree, std::vector<bool> gone) {
  std::vector<int> now(tree.nodes.size(), -1);
  std::vector<TreeNode> kept;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const int parent = tree.nodes[i].parent < 0 ? -1 : now[static_cast<std::size_t>(tree.nodes[i].parent)];
    if (gone[i]) {
      now[i] = parent;
      continue;
    }
    now[i] = static_cast<int>(kept.size());
    kept.push_back(std::move(tree.nodes[i]));
    kept.back().parent = parent;
  }
  tree.nodes = std::move(kept);
}

/// Switches with nothing below them; their last are found first, as they stand behind what they hang off.
std::vector<bool> idle_switches(const MachineTree& tree) {
  std::vector<bool> gone(tree.nodes.size());
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    if (tree.nodes[i].role != Role::pcie_switch) continue;
    gone[i] = true;
    for (std::size_t j = 0; j < tree.nodes.size(); ++j)
      if (!gone[j] && tree.nodes[j].parent == static_cast<int>(i)) gone[i] = false;
  }
  return gone;
}

}  // namespace

std::string_view kind_of(Role role) { return kinds[static_cast<std::size_t>(role)]; }

std::size_t rank_of(std::string_view distance) {
  return static_cast<std::size_t>(std::find(distances.begin(), distances.end(), distance) - distances.begin());
}

std::vector<const TreeNode*> MachineTree::of(Role role) const {
  std::vector<const TreeNode*> found;
  for (const TreeNode& node : nodes)
    if (node.role == role) found.push_back(&node);
  std::sort(found.begin(), found.end(), [](const TreeNode* a, const TreeNode* b) { return number_of(*a) < number_of(*b); });
  return found;
}

std::vector<int> MachineTree::above(const TreeNode& node) const {
  std::vector<int> up;
  for (int at = node.parent; at >= 0; at = nodes[static_cast<std::size_t>(at)].parent) up.push_back(at);
  return up;
}

std::string_view MachineTree::distance(const TreeNode& a, const TreeNode& b) const {
  const std::vector<int> of_a = above(a), of_b = above(b);
  for (const int common : of_a)
    if (std::find(of_b.begin(), of_b.end(), common) != of_b.end())
      return a.parent == common && b.parent == common ? "PIX" : "PXB";
  if (a.socket != b.socket) return "SYS";
  return a.root_bus != -1 && b.root_bus != -1 && a.root_bus != b.root_bus ? "NODE" : "PHB";
}

void name_nodes(MachineTree& tree) {
  std::vector<TreeNode*> nics;
  int gpus = 0, dmas = 0, next = 0;
  for (TreeNode& node : tree.nodes) {
    if (node.role == Role::nic) nics.push_back(&node);
    if (node.role == Role::gpu) node.name = fmt::format("gpu{}", gpus++);
    if (node.role == Role::dma) node.name = fmt::format("dma{}", dmas++);
  }
  for (const TreeNode& gpu : tree.nodes) {
    if (gpu.role != Role::gpu) continue;
    TreeNode* best = nullptr;
    for (TreeNode* nic : nics)
      if (nic->name.empty() && (best == nullptr || rank_of(tree.distance(gpu, *nic)) < rank_of(tree.distance(gpu, *best)))) best = nic;
    if (best != nullptr) best->name = fmt::format("nic{}", next++);
  }
  for (TreeNode* nic : nics)
    if (nic->name.empty()) nic->name = fmt::format("nic{}", next++);
  name_switches(tree);
}

void keep_modelled(MachineTree& tree, MachineFacts& facts) {
  std::vector<bool> gone(tree.nodes.size());
  for (const Role role : {Role::gpu, Role::nic, Role::dma}) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      if (tree.nodes[i].role != role || number_of(tree.nodes[i]) < static_cast<int>(most)) continue;
      gone[i] = true;
      ++count;
    }
    if (count > 0) facts.warn({}, fmt::format("{} {}s, and a node has room for {}; the last are left out", most + count, kind_of(role), most));
  }
  remove(tree, std::move(gone));
  remove(tree, idle_switches(tree));
  name_switches(tree);
  const std::size_t switches = tree.of(Role::pcie_switch).size();
  if (switches <= most) return;
  facts.warn({}, fmt::format("{} switches, and a node has room for {}; what hangs off the deepest is shown one level higher", switches, most));
  for (std::size_t left = switches; left > most; --left) {
    std::size_t deepest = 0, most_above = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      if (tree.nodes[i].role != Role::pcie_switch || tree.above(tree.nodes[i]).size() < most_above) continue;
      most_above = tree.above(tree.nodes[i]).size();
      deepest = i;
    }
    std::vector<bool> one(tree.nodes.size());
    one[deepest] = true;
    remove(tree, std::move(one));
  }
  name_switches(tree);
}

}  // namespace gicsim::imports::detail
