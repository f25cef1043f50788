// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/replay_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "models/units/text.h"
#include "scenarios/paths/places.h"

namespace gicsim::whatif {
namespace {

bool given(const std::vector<schema::Override>& set, std::string_view key) {
  return std::any_of(set.begin(), set.end(), [&](const schema::Override& one) { return one.key == key; });
}

void check_room(const Plan& plan) {
  std::map<std::size_t, std::size_t> threads;
  for (const schema::Lane& lane : plan.scenario.lanes) ++threads[lane.from], ++threads[lane.to];
  const Address each = paths::places::buffer_size(plan.scenario.bytes), all = Address{1} << 40;
  for (const auto& [node, n] : threads)
    if (n > all / each)
      throw ConfigError(Location{"gicsim"},
                        std::to_string(n) + " connections of node" + std::to_string(node) + ", with buffers of " +
                            text::write(plan.scenario.bytes) +
                            ", are more than a GPU's window of 1 TiB holds; spread the ranks over more nodes");
}

}  // namespace

std::string name_of(RankPlace at) { return "node" + std::to_string(at.node) + ".gpu" + std::to_string(at.gpu); }

Plan plan(const schedule::Source& source, const schedule::Talk& talk, const ReplayRequest& request,
          const std::string& root) {
  std::vector<schema::Override> set{{"bytes", text::write(std::max(talk.longest, 8_B)), "trace"}};
  set.insert(set.end(), request.set.begin(), request.set.end());
  const std::string base = root + "/scenarios/whatif/replay.yaml";
  Plan plan{schema::load_scenario(base, set, root), {}, {}};
  plan.places = place(source.ranks(), request.map, source.hosts(), plan.scenario.system);
  std::size_t nodes = 2;
  for (const RankPlace& at : plan.places) nodes = std::max(nodes, at.node + 1);
  if (nodes > plan.scenario.system.nodes.size()) {
    if (given(set, "system.nodes"))
      throw ConfigError(Location{"--set system.nodes"},
                        std::to_string(source.ranks()) + " ranks need " + std::to_string(nodes));
    set.push_back({"system.nodes", std::to_string(nodes), "trace"});
    plan.scenario = schema::load_scenario(base, set, root);
  }
  schema::Scenario& s = plan.scenario;
  if (s.pattern != Pattern::put && s.pattern != Pattern::put_signal)
    throw ConfigError(Location{"--set pattern"}, "sends are played as put_signal, or as put; write one of them");
  s.name = request.files.empty() ? "replay" : request.files.front();
  s.traffic = Traffic::all_to_all;
  s.lanes.clear(), s.routes.clear();
  std::set<std::pair<std::size_t, std::size_t>> routes;
  for (const auto& [pair, sum] : talk.pairs) {
    const RankPlace from = plan.places[pair.first], to = plan.places[pair.second];
    const schema::Flow near = nearest(s.system, from), far = nearest(s.system, to);
    s.lanes.push_back({from.node, to.node, near, 0, far});
    plan.talks.emplace_back(pair);
    for (const schema::Flow& flow : {near, far})
      if (routes.emplace(flow.gpu, flow.nic).second) s.routes.push_back(flow);
  }
  if (s.routes.empty()) s.routes.push_back({});
  check_room(plan);
  return plan;
}

}  // namespace gicsim::whatif
