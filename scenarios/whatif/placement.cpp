// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/placement.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

namespace gicsim::whatif {
namespace {

/// Takes a number off a text's front.
std::optional<std::size_t> number(std::string_view& text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool skip(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

std::optional<RankPlace> place_of(std::string_view text) {
  RankPlace at;
  if (!skip(text, "node")) return std::nullopt;
  const auto node = number(text);
  if (!node || !skip(text, ".gpu")) return std::nullopt;
  const auto gpu = number(text);
  if (!gpu || !text.empty()) return std::nullopt;
  at.node = *node, at.gpu = *gpu;
  return at;
}

std::vector<RankPlace> listed(std::size_t ranks, const std::string& map, const schema::SystemSpec& system) {
  std::vector<std::optional<RankPlace>> places(ranks);
  const std::string hint =
      "it is neither gpus, nodes, hosts nor a file that can be read; a list is written '0=node0.gpu0, 1=node1.gpu0'";
  for (const MapEntry& entry : map_entries(map, hint)) {
    std::string_view word = entry.from;
    const auto rank = number(word);
    if (!rank || !word.empty() || *rank >= ranks)
      throw ConfigError(entry.at, "'" + entry.from + "' isn't a rank; the trace has 0 to " + std::to_string(ranks - 1));
    places[*rank] = place_of(entry.to);
    if (!places[*rank]) throw ConfigError(entry.at, "'" + entry.to + "' isn't a GPU; write 'node0.gpu0'");
    if (places[*rank]->gpu >= static_cast<std::size_t>(system.gpus))
      throw ConfigError(entry.at,
                        entry.to + ": a node of " + system.name + " has " + std::to_string(system.gpus) + " GPUs");
  }
  std::vector<RankPlace> all;
  for (std::size_t r = 0; r < ranks; ++r) {
    if (!places[r]) throw ConfigError(Location{"--map"}, "rank " + std::to_string(r) + " has no GPU");
    all.push_back(*places[r]);
  }
  return all;
}

/// Hosts of a run of ours are GPUs, of which one may have several ranks.
std::vector<RankPlace> by_hosts(const std::vector<std::string>& hosts, const schema::SystemSpec& system) {
  std::vector<RankPlace> exactly;
  for (const std::string& host : hosts)
    if (const auto at = place_of(host); at && at->gpu < static_cast<std::size_t>(system.gpus)) exactly.push_back(*at);
  if (exactly.size() == hosts.size()) return exactly;
  std::map<std::string, std::size_t> nodes, used;
  std::vector<RankPlace> all;
  for (const std::string& host : hosts) {
    const std::size_t node = nodes.try_emplace(host, nodes.size()).first->second;
    if (used[host] >= static_cast<std::size_t>(system.gpus))
      throw ConfigError(Location{"--map"}, "host " + host + " has more ranks than a node of " + system.name +
                                               " has GPUs, " + std::to_string(system.gpus) +
                                               "; write '--map gpus', or another system");
    all.push_back({node, used[host]++});
  }
  return all;
}

}  // namespace

std::vector<MapEntry> map_entries(const std::string& map, const std::string& hint) {
  std::vector<MapEntry> entries;
  if (std::ifstream file(map); file) {
    std::string line;
    for (int n = 1; std::getline(file, line); ++n) {
      std::istringstream words(line.substr(0, line.find('#')));
      MapEntry entry{.at = {map, n, 1}};
      if (words >> entry.from >> entry.to)
        entries.push_back(entry);
      else if (!entry.from.empty())
        throw ConfigError(entry.at, "'" + line + "' doesn't say where; write '" + entry.from + " node0.gpu0'");
    }
    return entries;
  }
  std::istringstream items(map);
  for (std::string item; std::getline(items, item, ',');) {
    std::erase(item, ' ');
    const std::size_t equals = item.find('=');
    const Location at{"--map", 0, 0};
    if (equals == item.npos) throw ConfigError(at, "'" + item + "': " + hint);
    entries.push_back({item.substr(0, equals), item.substr(equals + 1), at});
  }
  return entries;
}

std::vector<RankPlace> place(std::size_t ranks, const std::string& map, const std::vector<std::string>& hosts,
                             const schema::SystemSpec& system) {
  std::vector<RankPlace> all;
  const auto gpus = static_cast<std::size_t>(system.gpus);
  if (map == "hosts" && hosts.empty())
    throw ConfigError(Location{"--map"},
                      "hosts, but the trace doesn't say where its ranks ran; write 'gpus', 'nodes' or a list");
  if (!hosts.empty() && (map.empty() || map == "hosts")) return by_hosts(hosts, system);
  if (map.empty() || map == "gpus")
    for (std::size_t r = 0; r < ranks; ++r) all.push_back({r / gpus, r % gpus});
  else if (map == "nodes")
    for (std::size_t r = 0; r < ranks; ++r) all.push_back({r, 0});
  else
    all = listed(ranks, map, system);
  std::set<std::pair<std::size_t, std::size_t>> taken;
  for (std::size_t r = 0; r < ranks; ++r)
    if (!taken.emplace(all[r].node, all[r].gpu).second)
      throw ConfigError(Location{"--map"}, "node" + std::to_string(all[r].node) + ".gpu" + std::to_string(all[r].gpu) +
                                               " is given twice, to rank " + std::to_string(r) + ", too");
  return all;
}

schema::Flow nearest(const schema::SystemSpec& system, RankPlace at) {
  const auto nics = static_cast<std::size_t>(system.nics);
  schema::Flow best{at.gpu, at.gpu % nics};
  for (std::size_t nic = 0; nic < nics; ++nic)
    if (schema::distance(system, 0, at.gpu, nic) < schema::distance(system, 0, at.gpu, best.nic)) best.nic = nic;
  return best;
}

}  // namespace gicsim::whatif
