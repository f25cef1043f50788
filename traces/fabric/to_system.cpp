// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/base/errors.h"
#include "models/units/text.h"
#include "traces/fabric/detail/system_maker.h"

namespace gicsim::fabric {
namespace {

/// Products that stand in for what a topology leaves open, by the rate of its hosts.
struct Parts {
  std::int64_t up_to;  ///< bits per second
  std::string_view cable, nic, host, pcie, pcie_switch, gpu;
};
constexpr Parts parts[] = {
    {100'000'000'000, "roce100_cable", "connectx6", "epyc_7742", "pcie4_x16", "pex88096", "a100_sxm"},
    {200'000'000'000, "roce200_cable", "connectx6", "epyc_7742", "pcie4_x16", "pex88096", "a100_sxm"},
    {1'600'000'000'000, "roce400_cable", "connectx7", "xeon_8460yp", "pcie5_x16", "pex89144", "h100_sxm"},
};
constexpr std::pair<std::string_view, std::string_view> gpus[] = {{"A100", "a100_sxm"}, {"H100", "h100_sxm"},
                                                                  {"H200", "h200_sxm"}, {"B200", "b200"},
                                                                  {"GB200", "gb200"},   {"V100", "v100_sxm2"}};

}  // namespace

void SystemMaker::sort() {
  for (std::size_t node = 0; node < t_.nodes.size(); ++node)
    if (t_.nodes[node] == Topology::Kind::host) rank_.emplace(node, rank_.size());
  std::set<std::size_t> leaves;
  for (const Link& link : t_.links) {
    const Topology::Kind a = t_.nodes[link.a], b = t_.nodes[link.b];
    if (a == Topology::Kind::nvswitch || b == Topology::Kind::nvswitch) {
      ++nvlinks_;
    } else if (a == Topology::Kind::host && b == Topology::Kind::host) {
      host_to_host_.push_back(&link);
    } else if (a == Topology::Kind::host || b == Topology::Kind::host) {
      const std::size_t host = a == Topology::Kind::host ? link.a : link.b,
                        leaf = a == Topology::Kind::host ? link.b : link.a;
      hosts_links_[host].push_back({leaf, &link});
      leaves.insert(leaf);
    } else {
      between_[std::minmax(link.a, link.b)].push_back(&link);
    }
  }
  leaves_.assign(leaves.begin(), leaves.end());
  for (std::size_t node = 0; node < t_.nodes.size(); ++node)
    if (t_.nodes[node] == Topology::Kind::fabric_switch && leaves.count(node) == 0) spines_.push_back(node);
}

void SystemMaker::place_nodes() {
  const std::size_t hosts = rank_.size(), each = t_.gpus_per_server > 0 ? t_.gpus_per_server : 1;
  nodes_ = (hosts + each - 1) / each;
  std::size_t least = t_.links.size(), links = 0;
  for (const auto& [host, rank] : rank_) {
    least = std::min(least, hosts_links_[host].size());
    links = std::max(links, hosts_links_[host].size());
  }
  if (switches() > 0 && links == 0) throw ConfigError(Location{t_.file}, "no link between a host and a switch");
  if (nodes_ < 2) throw ConfigError(Location{t_.file}, "one server; a system needs two nodes or more");
  if (hosts % each != 0)
    warn(fmt::format("{} GPUs aren't servers of {}; the last server got all of its GPUs", hosts, each));
  if (switches() > 0 && least != links)
    warn(fmt::format("hosts have {} .. {} links; each got {} GPU-NIC pairs", least, links, links));
  pairs_ = each * std::max<std::size_t>(links, 1);
  if (links > 1)
    warn(fmt::format("{} links of {}: each became a NIC with a GPU of its own", links, each > 1 ? "a GPU" : "a host"));
  if (nvlinks_ > 0) warn(fmt::format("{} links to NVSwitches: GPUs of a node have no NVLink here", nvlinks_));
}

void SystemMaker::place_switches() {
  if (switches() == 0) {
    if (nodes_ != 2)
      throw ConfigError(Location{t_.file},
                        "no switch and more than two nodes; a system has switches or two nodes back to back");
    keys_ = "fabric_switches: 0\n";
    return;
  }
  if (!host_to_host_.empty())
    warn(fmt::format("{} links between hosts, first on line {}: left out", host_to_host_.size(),
                     host_to_host_[0]->line));
  if (switches() == 1) {
    keys_ = "fabric_switches: 1\n";
    return;
  }
  leaves_and_spines();
}

void SystemMaker::write_parts() {
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> kinds;
  for (const auto& links : hosts_links_)
    for (const Uplink& up : links) ++kinds[{up.link->rate.bits_per_second(), up.link->delay.count()}];
  for (const Link* link : host_to_host_)
    if (kinds.empty() || switches() == 0) ++kinds[{link->rate.bits_per_second(), link->delay.count()}];
  const auto usual =
      std::max_element(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (kinds.size() > 1)
    warn(fmt::format("hosts' links are of {} kinds; all got the rate and delay of the most, {}", kinds.size(),
                     usual->second));
  rate_ = BitRate::bits_per_second(usual->first.first);
  const Picoseconds delay{usual->first.second};
  const auto of = std::find_if(std::begin(parts), std::end(parts),
                               [&](const Parts& one) { return rate_.bits_per_second() <= one.up_to; });
  if (of == std::end(parts))
    throw ConfigError(Location{t_.file}, text::write(rate_) + " of a host; a NIC has 1.6 Tbps at most");
  std::string_view gpu = of->gpu;
  const auto known =
      std::find_if(std::begin(gpus), std::end(gpus), [&](const auto& one) { return one.first == t_.gpu; });
  if (known != std::end(gpus))
    gpu = known->second;
  else if (!t_.gpu.empty())
    warn(fmt::format("GPU {}: no part; {} stands in", t_.gpu, gpu));
  set_ = fmt::format("  link.rate: {}\n  link.flight: {}\n  fabric.routing: ecmp\n", text::write(rate_),
                     text::write(delay)) +
         set_;
  keys_ += fmt::format(
      "notes:\n  - a topology names no products; host, GPU, NIC and switch are stand-ins for its rates, and switches "
      "take time here\n"
      "parts:\n  host: {0}\n  root: {0}\n  gpu: {1}\n  pcie: {2}\n  pcie_switch: {3}\n  nic: {4}\n  link: {5}\n",
      of->host, gpu, of->pcie, of->pcie_switch, of->nic, of->cable);
  if (switches() > 0) keys_ += "  switch: ethernet_400g\n";
}

SystemText SystemMaker::make() {
  if (t_.behind > 0) warn(fmt::format("{} lines behind the links that the first line counts: left out", t_.behind));
  const auto losing =
      std::count_if(t_.links.begin(), t_.links.end(), [](const Link& link) { return link.error_rate > 0; });
  if (losing > 0) warn(fmt::format("{} links with an error rate: left out", losing));
  place_nodes();
  place_switches();
  write_parts();
  std::string name;  // in single quotes
  for (const char c : t_.file.substr(t_.file.find_last_of('/') + 1)) name += c == '\'' ? "''" : std::string(1, c);
  text_.yaml = fmt::format("about: '{0} nodes of {1} GPU-NIC pairs, {2} switches, from {3}'\n"
                           "source: {{user: '{3}'}}\nnodes: {0}\npairs: {1}\n",
                           nodes_, pairs_, switches(), name) +
               "attach: pcie_switch\n" + keys_ + "set:\n" + set_;
  return std::move(text_);
}

SystemText to_system(const Topology& topology) { return SystemMaker(topology).make(); }

}  // namespace gicsim::fabric
