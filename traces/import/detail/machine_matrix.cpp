// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "traces/import/detail/machine_tree.h"

namespace gicsim::imports::detail {
namespace {

/// Sets that grow together.
class Groups {
 public:
  explicit Groups(std::size_t count) : of_(count) { std::iota(of_.begin(), of_.end(), std::size_t{0}); }
  std::size_t of(std::size_t i) {
    while (of_[i] != i) i = of_[i] = of_[of_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { of_[of(b)] = of(a); }
  std::size_t size(std::size_t i) {
    std::size_t count = 0;
    for (std::size_t j = 0; j < of_.size(); ++j) count += of(j) == of(i) ? 1 : 0;
    return count;
  }

 private:
  std::vector<std::size_t> of_;
};

std::string_view cell(const Matrix& matrix, const std::string& a, const std::string& b) {
  const auto found = matrix.cells.find({a, b});
  return found == matrix.cells.end() ? std::string_view{} : std::string_view(found->second.value);
}

}  // namespace

std::string row_of(const MachineTree& tree, const TreeNode& node, const Matrix& matrix) {
  if (node.role == Role::nic) {
    const bool there = std::find(matrix.rows.begin(), matrix.rows.end(), node.rdma) != matrix.rows.end();
    return there ? node.rdma : std::string{};
  }
  if (node.role != Role::gpu) return {};
  std::size_t number = 0, gpus = 0;
  for (const TreeNode& other : tree.nodes) {
    if (&other == &node) number = gpus;
    gpus += other.role == Role::gpu ? 1 : 0;
  }
  const auto rows = std::count_if(matrix.rows.begin(), matrix.rows.end(), [](const auto& row) { return row.starts_with("GPU"); });
  return static_cast<std::size_t>(rows) == gpus ? fmt::format("GPU{}", number) : std::string{};
}

void place_by_matrix(MachineTree& tree, const Matrix& matrix) {
  std::vector<TreeNode> leaves = std::move(tree.nodes);
  tree.nodes = leaves;
  std::vector<std::string> rows;
  for (const TreeNode& leaf : tree.nodes) rows.push_back(row_of(tree, leaf, matrix));
  tree.nodes.clear();
  Groups near(leaves.size()), far(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (const auto numa = matrix.numa.find(rows[i]); numa != matrix.numa.end()) leaves[i].numa = numa->second.value;
    for (std::size_t j = 0; j < i; ++j) {
      const std::string_view distance = cell(matrix, rows[i], rows[j]);
      if (distance == "PIX") near.join(i, j);
      if (distance == "PIX" || distance == "PXB") far.join(i, j);
    }
  }
  for (std::size_t i = 0; i < leaves.size(); ++i)  // NICs have no column of their own: the NUMA node of a GPU that is near
    for (std::size_t j = 0; j < leaves.size() && leaves[i].numa < 0; ++j) {
      const std::string_view distance = cell(matrix, rows[i], rows[j]);
      if (distance.empty() || distance == "SYS" || distance.starts_with("NV") || distance == "X") continue;
      leaves[i].numa = leaves[j].numa;
    }
  std::map<std::size_t, int> inner, outer;
  const auto middle = [&](std::map<std::size_t, int>& known, std::size_t group, int parent, int numa) {
    const auto [place, is_new] = known.try_emplace(group, static_cast<int>(tree.nodes.size()));
    if (is_new) {
      TreeNode node;
      node.role = Role::pcie_switch;
      node.parent = parent;
      node.numa = numa;
      node.placed = matrix.seen;
      tree.nodes.push_back(std::move(node));
    }
    return place->second;
  };
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    TreeNode& leaf = leaves[i];
    leaf.placed = {matrix.seen.file, matrix.seen.line, "topo -m"};
    const std::size_t both = far.size(i), close = near.size(i);
    const bool alone = close == 1 && leaf.role == Role::gpu;  // PXB of all others: behind a switch of its own
    if (both > close) leaf.parent = middle(outer, far.of(i), -1, leaf.numa);
    if (close > 1 || (both > close && alone)) leaf.parent = middle(inner, near.of(i), leaf.parent, leaf.numa);
  }
  tree.nodes.insert(tree.nodes.end(), leaves.begin(), leaves.end());
}

void check_matrix(const MachineTree& tree, MachineFacts& facts) {
  const Matrix& matrix = *facts.matrix;
  const std::size_t gpus = tree.of(Role::gpu).size();
  const auto rows = std::count_if(matrix.rows.begin(), matrix.rows.end(), [](const auto& row) { return row.starts_with("GPU"); });
  if (static_cast<std::size_t>(rows) != gpus)
    return facts.warn(matrix.seen, fmt::format("{} GPUs, but the other files show {}; not compared", rows, gpus));
  int differ = 0;
  std::string first;
  Origin at;
  for (const TreeNode* gpu : tree.of(Role::gpu)) {
    for (const TreeNode* nic : tree.of(Role::nic)) {
      const std::string row = row_of(tree, *gpu, matrix), column = row_of(tree, *nic, matrix);
      const auto found = matrix.cells.find({row, column});
      if (found == matrix.cells.end()) continue;
      const std::string& said = found->second.value;
      const std::string_view here = tree.distance(*gpu, *nic);
      const auto host = [](std::string_view word) { return word == "PHB" || word == "NODE"; };
      const bool numa = said == "SYS" && (gpu->numa != nic->numa || gpu->numa < 0);  // of one socket
      if (said == here || (host(here) && (host(said) || numa))) continue;
      if (differ++ > 0) continue;
      first = fmt::format("{} ({}) to {} ({}) is {}, but {} by the tree", gpu->name, row, nic->name, column, said, here);
      at = found->second.at;
    }
  }
  if (differ > 0)
    facts.warn(at, first + (differ > 1 ? fmt::format("; so are {} further pairs", differ - 1) : std::string{}) +
                       ". The tree is kept: see that the files are of one machine, not one of them a virtual machine's");
}

}  // namespace gicsim::imports::detail
