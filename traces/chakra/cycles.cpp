// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/chakra/cycles.h"

#include <fmt/format.h>

#include <algorithm>

namespace gicsim::chakra {

void Cycles::add(std::uint64_t id, const std::string& name, const std::vector<std::uint64_t>& needs) {
  if (nodes_.try_emplace(id, Node{name, needs}).second) order_.push_back(id);
}

std::string Cycles::told(const std::vector<std::uint64_t>& path, std::uint64_t closes) const {
  constexpr std::size_t most = 8;
  const auto from = std::find(path.begin(), path.end(), closes);
  const auto length = static_cast<std::size_t>(path.end() - from);
  std::string text = "nodes need one another in a circle: ";
  for (std::size_t i = 0; i < std::min(length, most); ++i) {
    const std::uint64_t id = from[static_cast<std::ptrdiff_t>(i)];
    text += fmt::format("{}{} '{}'", i > 0 ? " needs " : "", id, nodes_.at(id).name);
  }
  if (length > most) text += fmt::format(" needs … ({} more)", length - most);
  return text + fmt::format(" needs {}", closes);
}

std::string Cycles::look() {
  for (auto& [id, node] : nodes_) node.mark = Node::Mark::fresh, node.next = 0;
  std::vector<std::uint64_t> path;
  for (const std::uint64_t start : order_) {
    if (nodes_.at(start).mark != Node::Mark::fresh) continue;
    path.assign(1, start);
    nodes_.at(start).mark = Node::Mark::open;
    while (!path.empty()) {
      Node& node = nodes_.at(path.back());
      if (node.next == node.needs.size()) {
        node.mark = Node::Mark::done;
        path.pop_back();
        continue;
      }
      const std::uint64_t need = node.needs[node.next++];
      const auto found = nodes_.find(need);
      if (found == nodes_.end() || found->second.mark == Node::Mark::done) continue;
      if (found->second.mark == Node::Mark::open) return told(path, need);
      found->second.mark = Node::Mark::open;
      path.push_back(need);
    }
  }
  while (order_.size() > reach_) {
    nodes_.erase(order_.front());
    order_.pop_front();
  }
  return {};
}

}  // namespace gicsim::chakra
