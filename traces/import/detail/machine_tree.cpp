// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/import/detail/machine_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "traces/import/detail/machine_models.h"
#include "traces/import/detail/machine_names.h"
#include "traces/import/detail/machine_pci.h"

namespace gicsim::imports::detail {
namespace {

class Builder {
 public:
  explicit Builder(MachineFacts& facts) : facts_(facts), pci_(facts) {}

  MachineTree build(std::optional<std::int64_t> sockets) {
    leaves();
    name_rdma();
    if (pci_.shown()) {
      for (std::size_t i = 0; i < leaf_.size(); ++i) place(leaf_[i]);
    } else if (facts_.matrix) {
      from_matrix();
    } else {
      facts_.warn({}, "no file shows where devices are plugged in: all at the first root complex; give lspci -vvv, or the "
                      "file that NCCL writes for NCCL_TOPO_DUMP_FILE");
    }
    tree_.nodes.insert(tree_.nodes.end(), leaf_.begin(), leaf_.end());
    if (!pci_.shown() && facts_.matrix) place_by_matrix(tree_, *facts_.matrix);
    settle_sockets(sockets);
    return std::move(tree_);
  }

 private:
  void leaves() {
    std::set<std::tuple<std::uint32_t, int, int>> seen;
    for (const auto& [at, device] : facts_.devices) {
      const bool gpu = is_gpu(device), nic = !gpu && is_rdma_nic(device);
      if (!gpu && !nic && !is_storage(device)) continue;
      if (!seen.insert({at.domain, at.bus, at.device}).second) continue;  // further functions share the link
      TreeNode node;
      node.role = gpu ? Role::gpu : nic ? Role::nic : Role::dma;
      node.device = &device;
      node.placed = device.seen;
      if (device.numa) node.numa = device.numa->value;
      if (!device.rdma.empty()) node.rdma = device.rdma.front().value;
      leaf_.push_back(std::move(node));
    }
    const bool any_gpu = std::any_of(leaf_.begin(), leaf_.end(), [](const TreeNode& n) { return n.role == Role::gpu; });
    const bool in_matrix = facts_.matrix && std::any_of(facts_.matrix->rows.begin(), facts_.matrix->rows.end(),
                                                        [](const std::string& row) { return row.starts_with("GPU"); });
    if (!any_gpu && !in_matrix)
      throw ConfigError(Location{"gicsim"},
                        "import machine: no file names a GPU; give lspci -vvv, nvidia-smi -q or topo -m, or NCCL's topology");
  }

  /// RDMA devices are named in the order of their addresses, unless someone renamed them.
  void name_rdma() {
    std::vector<TreeNode*> nics;
    for (TreeNode& node : leaf_)
      if (node.role == Role::nic) nics.push_back(&node);
    std::vector<std::string> names;
    for (const auto& [name, port] : facts_.rdma) names.push_back(name);
    if (facts_.matrix)
      for (const std::string& row : facts_.matrix->rows)
        if (row.starts_with("mlx") && !facts_.rdma.contains(row)) names.push_back(row);
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    const bool named = std::any_of(nics.begin(), nics.end(), [](const TreeNode* n) { return !n->rdma.empty(); });
    if (named || names.empty() || nics.empty()) return;
    if (names.size() != nics.size())
      return facts_.warn({}, fmt::format("{} RDMA devices are named, but {} NICs are shown: which is which isn't known; give "
                                         "NCCL's topology, which has both", names.size(), nics.size()));
    for (std::size_t i = 0; i < nics.size(); ++i) {
      nics[i]->rdma = names[i];
      nics[i]->rdma_by_order = true;
    }
  }

  /// Its switches first, then the node itself knows its parent.
  void place(TreeNode& leaf) {
    const Above ports = pci_.above(*leaf.device);
    leaf.parent = -1;
    const bool at_root_port = !ports.empty() && pci_.kind(ports, ports.size() - 1) == Port::root;
    const std::int64_t root_bus = at_root_port ? bus_of(*ports.back()) : -1;
    leaf.root_bus = root_bus;
    leaf.slot = ports.empty() || pci_.kind(ports, 0) == Port::upstream ? nullptr : ports.front();
    if (leaf.device->parent) leaf.placed = leaf.device->parent->at;
    int parent = -1;
    for (std::size_t i = ports.size(); i-- > 0;) {
      if (leaf.numa < 0 && ports[i]->numa) leaf.numa = ports[i]->numa->value;
      if (pci_.kind(ports, i) != Port::upstream) continue;
      const auto [known, is_new] = switches_.try_emplace(ports[i], static_cast<int>(tree_.nodes.size()));
      if (is_new) {
        TreeNode middle;
        middle.role = Role::pcie_switch;
        middle.device = ports[i];
        middle.placed = ports[i]->seen;
        middle.parent = parent;
        middle.root_bus = root_bus;
        middle.numa = ports[i]->numa ? ports[i]->numa->value : -1;
        middle.slot = i + 1 < ports.size() && pci_.kind(ports, i + 1) != Port::upstream ? ports[i + 1] : nullptr;
        tree_.nodes.push_back(std::move(middle));
      }
      parent = known->second;
    }
    leaf.parent = parent;
    for (int up = parent; up >= 0; up = tree_.nodes[static_cast<std::size_t>(up)].parent) {
      TreeNode& middle = tree_.nodes[static_cast<std::size_t>(up)];
      if (middle.numa < 0) middle.numa = leaf.numa;
    }
  }

  static std::int64_t bus_of(const PciDevice& device) { return std::int64_t{device.at.domain} << 8 | device.at.bus; }

  /// GPUs and NICs that no other file shows.
  void from_matrix() {
    const auto count = [&](Role role) {
      return std::count_if(leaf_.begin(), leaf_.end(), [role](const TreeNode& node) { return node.role == role; });
    };
    const bool gpus = count(Role::gpu) > 0, nics = count(Role::nic) > 0;
    for (const std::string& row : facts_.matrix->rows) {
      const bool gpu = row.starts_with("GPU");
      if (gpu ? gpus : nics) continue;
      TreeNode node;
      node.role = gpu ? Role::gpu : Role::nic;
      node.placed = facts_.matrix->seen;
      if (!gpu) node.rdma = row;
      leaf_.push_back(std::move(node));
    }
  }

  /// Of a machine with more NUMA nodes than sockets, equally many lie in each, counted on.
  void settle_sockets(std::optional<std::int64_t> said) {
    int most = -1;
    for (const TreeNode& node : tree_.nodes) most = std::max(most, node.numa);
    const int sockets = said ? static_cast<int>(*said) : std::min(most, 1) + 1;
    tree_.sockets = std::max(sockets, 1);
    if (!said && most > 1)
      facts_.warn({}, fmt::format("NUMA nodes up to {}: two sockets with as many of them each are assumed; --sockets says otherwise", most));
    if (tree_.sockets == 1) return;
    const int nodes = std::max(most + 1, tree_.sockets);
    for (TreeNode& node : tree_.nodes) node.socket = std::max(node.numa, 0) * tree_.sockets / nodes;
    for (TreeNode& node : tree_.nodes) {
      if (nodes > tree_.sockets && node.root_bus == -1 && node.numa >= 0) node.root_bus = numa_bus(node.numa);
      if (node.parent < 0) continue;  // a switch hangs off one root complex, and so does what is below it
      const TreeNode& above = tree_.nodes[static_cast<std::size_t>(node.parent)];
      node.socket = above.socket;
      node.root_bus = above.root_bus;
    }
  }

  MachineFacts& facts_;
  PciTree pci_;
  MachineTree tree_;
  std::vector<TreeNode> leaf_;
  std::map<const PciDevice*, int> switches_;
};

}  // namespace

MachineTree build_tree(MachineFacts& facts, std::optional<std::int64_t> sockets) {
  MachineTree tree = Builder(facts).build(sockets);
  name_nodes(tree);
  keep_modelled(tree, facts);
  return tree;
}

}  // namespace gicsim::imports::detail
