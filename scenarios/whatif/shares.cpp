// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/shares.h"

#include <string>
#include <type_traits>

namespace gicsim::whatif {

Busy busy(const system::System& system) {
  Busy nodes(system.nodes());
  system.visit_stats([&](const std::string& module, const auto& stats) {
    using S = std::remove_cvref_t<decltype(stats)>;
    if constexpr (std::is_same_v<S, host::HostStats> || std::is_same_v<S, gpu::GpuStats>) {
      NodeBusy& node = nodes[std::stoul(module.substr(4))];  // node3.host
      if constexpr (std::is_same_v<S, host::HostStats>)
        node.cores = stats.cores, node.core += stats.core_busy;
      else
        node.threads += stats.threads, node.issuing += stats.issue_busy, node.waiting += stats.waiting;
    }
  });
  return nodes;
}

std::vector<report::Share> shares(const Busy& before, const Busy& after, Picoseconds elapsed) {
  std::vector<report::Share> all;
  const auto part = [&](Picoseconds from, Picoseconds to, Count servers) {
    const auto whole = static_cast<double>(elapsed.count()) * static_cast<double>(servers);
    return whole > 0 ? static_cast<double>((to - from).count()) / whole : 0;
  };
  for (std::size_t i = 0; i < after.size(); ++i) {
    const NodeBusy &from = before.empty() ? NodeBusy{} : before[i], &to = after[i];
    const Count threads = to.issuing + to.waiting > 0ns ? to.threads : 0;  // a path may have some that it doesn't need
    if (to.cores == 0 && threads == 0) continue;
    all.push_back({"node" + std::to_string(i), to.cores, part(from.core, to.core, to.cores), threads,
                   part(from.issuing, to.issuing, threads), part(from.waiting, to.waiting, threads)});
  }
  return all;
}

}  // namespace gicsim::whatif
