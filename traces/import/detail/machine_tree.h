// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/import/detail/machine_facts.h"

namespace gicsim::imports::detail {

enum class Role { pcie_switch, gpu, nic, dma };
std::string_view kind_of(Role role);                ///< "switch", "gpu": what a name begins with
std::size_t rank_of(std::string_view distance);     ///< 0 of PIX to 4 of SYS

/// What is plugged in somewhere.
struct TreeNode {
  Role role = Role::gpu;
  std::string name;                   ///< "gpu0"
  int parent = -1;                    ///< among the nodes; -1: a root complex
  int socket = 0;
  int numa = -1;                      ///< -1: not said
  const PciDevice* device = nullptr;  ///< null: known by a matrix alone
  const PciDevice* slot = nullptr;    ///< the port it is plugged into, where a file shows it
  Origin placed;                      ///< who says where
  std::string rdma;                   ///< "mlx5_0"
  bool rdma_by_order = false;         ///< no file joins the name to the device
  std::int64_t root_bus = -1;         ///< domain and bus of the host bridge; less than -1: a NUMA node's; -1: not known
};

/// Where a socket has several NUMA nodes, each has host bridges of its own.
constexpr std::int64_t numa_bus(int numa) { return -2 - std::int64_t{numa}; }

struct MachineTree {
  std::vector<TreeNode> nodes;  ///< switches before what is below them
  int sockets = 1;

  std::vector<const TreeNode*> of(Role role) const;
  /// PIX, PXB, PHB, NODE, SYS.
  std::string_view distance(const TreeNode& a, const TreeNode& b) const;
  std::vector<int> above(const TreeNode& node) const;  ///< its switches, the nearest first
};

/// From what shows buses and bridges; else from the matrix of distances; else all at the first root complex, which it says.
/// @param sockets  what the user says of a node
/// @throws ConfigError  no GPU, a device below itself
MachineTree build_tree(MachineFacts& facts, std::optional<std::int64_t> sockets);

/// Groups by PIX and PXB, as `nvidia-smi topo -m` shows them. Nodes have a role, a device or an rdma name, and no parent.
void place_by_matrix(MachineTree& tree, const Matrix& matrix);
/// The row of a matrix that means this node; empty where none does.
std::string row_of(const MachineTree& tree, const TreeNode& node, const Matrix& matrix);
/// Says where a matrix and the tree contradict each other.
void check_matrix(const MachineTree& tree, MachineFacts& facts);

}  // namespace gicsim::imports::detail
