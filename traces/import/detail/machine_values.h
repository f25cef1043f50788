// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "traces/import/detail/machine_tree.h"
#include "traces/import/machine.h"

namespace gicsim::imports::detail {

/// A parameter as a system file has it: what it is, where that comes from.
struct Value {
  std::string text;
  std::string_view word = "measured";  ///< measured, derived, assumed, user
  std::vector<Origin> from;            ///< alike ones of several instances, one after the other
  std::string why;                     ///< behind them, or alone
};

struct Setting {
  std::string key;  ///< "pcie.lanes", of a node
  Value value;
};

struct NodeValues {
  std::vector<Setting> set;
  std::string_view part, link_part;  ///< of configs/parts
  int generation = 0, lanes = 0;
};

/// What the files say of each node of a tree, and what is assumed where they don't or can't be right.
class MachineValues {
 public:
  MachineValues(const MachineTree& tree, MachineFacts& facts, const MachineSaid& said);
  const NodeValues& of(const TreeNode& node) const { return values_[static_cast<std::size_t>(&node - tree_.nodes.data())]; }
  std::string_view fabric_switch() const { return fabric_switch_; }
  const std::vector<std::string>& assumed() const { return assumed_; }  ///< in sentences

 private:
  void link(const TreeNode& node, NodeValues& values);
  void port(const TreeNode& node, NodeValues& values);
  void slot(const TreeNode& node, NodeValues& values);
  void cable(const TreeNode& node, NodeValues& values);
  void parts(const TreeNode& node, NodeValues& values);
  const RdmaDevice* rdma(const TreeNode& node) const;
  std::optional<bool> is_ethernet(const TreeNode& node) const;
  bool overridden(const std::string& key) const;
  void assume(const std::string& what);

  const MachineTree& tree_;
  MachineFacts& facts_;
  const MachineSaid& said_;
  std::vector<NodeValues> values_;
  std::string_view fabric_switch_ = "quantum2";
  bool ethernet_ = false;  ///< what NICs are of which no file tells
  std::vector<std::string> assumed_;
};

/// Whether a path such as "gpu.pcie.lanes" or "pcie.lanes" means "gpu0.pcie.lanes".
bool means(std::string_view pattern, std::string_view key);
/// "gpu0", and what it is where a file says: "gpu0 (0000:18:00.0)".
std::string shown(const TreeNode& node);

}  // namespace gicsim::imports::detail
