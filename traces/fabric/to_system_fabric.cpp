// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/base/errors.h"
#include "models/units/text.h"
#include "traces/fabric/detail/system_maker.h"

namespace gicsim::fabric {

void SystemMaker::leaves_and_spines() {
  std::map<std::size_t, std::set<std::size_t>> homes;  // leaves of each node
  for (const auto& [host, rank] : rank_)
    for (const Uplink& up : hosts_links_[host]) homes[node_of(host)].insert(up.leaf);
  if (std::any_of(homes.begin(), homes.end(), [](const auto& one) { return one.second.size() > 1; })) {
    warn(fmt::format("nodes have links to several leaves (rails), of {} leaves and {} other switches; a system has all "
                     "NICs of a node at one: it became one switch, right for messages between NICs of one leaf",
                     leaves_.size(), spines_.size()));
    keys_ = "fabric_switches: 1\n";
    return;
  }
  std::size_t spines = spines_.size();
  bool regular = spines > 0;
  for (const auto& [ends, links] : between_) {
    const bool leaf_a = std::binary_search(leaves_.begin(), leaves_.end(), ends.first);
    const bool leaf_b = std::binary_search(leaves_.begin(), leaves_.end(), ends.second);
    regular = regular && leaf_a != leaf_b;
  }
  regular = regular && between_.size() == leaves_.size() * spines;
  std::vector<std::vector<const Link*>> of_leaf;
  for (const std::size_t leaf : leaves_) {
    auto& all = of_leaf.emplace_back();
    for (const auto& [ends, links] : between_)
      if (ends.first == leaf || ends.second == leaf) all.insert(all.end(), links.begin(), links.end());
  }
  const auto fewer = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  const std::size_t most = std::max_element(of_leaf.begin(), of_leaf.end(), fewer)->size();
  const std::size_t least = std::min_element(of_leaf.begin(), of_leaf.end(), fewer)->size();
  if (least == 0)
    throw ConfigError(Location{t_.file},
                      "a switch with hosts has no link to another one; not all hosts reach each other");
  if (!regular || most > spines) {
    warn(fmt::format("{} leaves and {} other switches aren't two levels with a link between each of them: they became "
                     "leaves and {} spines, one for each uplink of a leaf",
                     leaves_.size(), spines_.size(), least));
    if (most != least) warn(fmt::format("leaves have {} .. {} uplinks; each got {}", least, most, least));
    spines = least;
  }
  keys_ = fmt::format("fabric: leaf_spine\nfabric_switches: 1\nleaves: {}\nspines: {}\n", leaves_.size(), spines);
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf)
    for (std::size_t i = 0; i < spines; ++i) {
      const Link& link = *of_leaf[leaf][i];
      const std::string name = fmt::format("fabric.link{}", leaf * spines + i);
      set(name + ".rate", text::write(link.rate));
      set(name + ".flight", text::write(link.delay));
    }
  check_homes();
}

/// A system shares nodes out to its leaves evenly and in order.
void SystemMaker::check_homes() {
  std::size_t elsewhere = 0;
  for (const auto& [host, rank] : rank_) {
    if (hosts_links_[host].empty()) continue;
    const auto home = std::lower_bound(leaves_.begin(), leaves_.end(), hosts_links_[host][0].leaf) - leaves_.begin();
    if (static_cast<std::size_t>(home) != node_of(host) * leaves_.size() / nodes_) ++elsewhere;
  }
  if (elsewhere > 0)
    warn(fmt::format("{} of {} hosts stand at another leaf here: nodes are shared out evenly, in order", elsewhere,
                     rank_.size()));
}

}  // namespace gicsim::fabric
