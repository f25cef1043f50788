// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// Switches, cables and the ports at their ends: how they stand, which ways packets may go, and who
// waits for whom.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "scenarios/system/system.h"

namespace gicsim::system {
namespace {

using schema::Topology;

/// Which switch a node's NICs are plugged into.
std::size_t home(const schema::SystemSpec& spec, std::size_t node) {
  const std::size_t count = spec.fabric_switches.size(), nodes = spec.nodes.size();
  switch (spec.topology) {
    case Topology::chain:
      return node == 0 ? 0 : count - 1;
    case Topology::leaf_spine:
      return node * (count - spec.spines) / nodes;
    case Topology::ring:
      return node * count / nodes;
  }
  return 0;
}

struct Edge {
  std::size_t a, b;
};

/// Of each fabric link, which switches it joins.
std::vector<Edge> edges(const schema::SystemSpec& spec) {
  std::vector<Edge> all;
  const std::size_t count = spec.fabric_switches.size(), leaves = count - spec.spines;
  for (std::size_t i = 0; i < spec.fabric_links.size(); ++i)
    all.push_back(spec.topology == Topology::leaf_spine
                      ? Edge{i / spec.spines, leaves + i % spec.spines}
                      : Edge{i, (i + 1) % count});
  return all;
}

/// Hops from each switch to `to`; round a ring one way only.
std::vector<std::size_t> hops(const std::vector<Edge>& edges, std::size_t to, std::size_t count,
                              bool one_way) {
  std::vector<std::size_t> far(count, count);
  far[to] = 0;
  for (std::size_t round = 0; round < count; ++round)
    for (const Edge& edge : edges) {
      far[edge.a] = std::min(far[edge.a], far[edge.b] + 1);
      if (!one_way) far[edge.b] = std::min(far[edge.b], far[edge.a] + 1);
    }
  return far;
}

}  // namespace

void System::attach(nic::Nic& nic, link::Switch& at, const std::string& who,
                    const schema::Cable& cable) {
  link::Wire& up = new_wire(who + "_link_up", cable);
  link::Wire& down = new_wire(who + "_link_down", cable);
  ports_.push_back({&nic, &up, &down});
  const int number = at.next_port();
  at.route(nic.number(), number);
  sc_core::sc_port<PacketPort>& out = at.out[static_cast<std::size_t>(number)];
  if (spec_.fabric.flow_control == link::FlowControl::ideal) {
    nic.wire_out.bind(up.in);
    up.out.bind(at.in);
    out.bind(down.in);
    down.out.bind(nic.wire_in);
    nic.fed_by(*down.in.operator->());
    return;
  }
  link::Port& near = new_port(who + "_link_end", cable.rate, 0);
  link::Port& far =
      new_port(std::string(at.name()) + "_port" + std::to_string(number), cable.rate, number);
  ports_.back().end = &near;
  near.releases_at_once();
  nic.wire_out.bind(near.in);
  near.wire_out.bind(up.in), up.out.bind(far.wire_in);
  far.wire_out.bind(down.in), down.out.bind(near.wire_in);
  near.device.bind(nic.wire_in), far.device.bind(at.in);
  out.bind(far.in);
  at.attach(number, far);
  nic.fed_by(*near.in.operator->());
  far_ends_[&near] = {nullptr, -1}, far_ends_[&far] = {nullptr, -1};
}

link::Port& System::new_port(const std::string& name, BitRate rate, int number) {
  return *ends_.emplace_back(std::make_unique<link::Port>(name.c_str(), kernel_, spec_.fabric,
                                                          spec_.arbitration, rate,
                                                          static_cast<std::uint16_t>(number)));
}

/// One direction of a cable between two NICs, without a switch.
void System::join(std::size_t from, std::size_t to) {
  link::Wire& wire = new_wire("node" + std::to_string(from) + "_nic0_link_up",
                              spec_.nodes[from].pairs[0].nic_link);
  nodes_[from]->nic(0).wire_out.bind(wire.in);
  wire.out.bind(nodes_[to]->nic(0).wire_in);
  nodes_[to]->nic(0).fed_by(*wire.in.operator->());
}

/// A cable between two switches. @return their ports towards each other
std::pair<int, int> System::join(std::size_t number, link::Switch& a, link::Switch& b) {
  const schema::Cable& cable = spec_.fabric_links[number];
  const std::string who = "fabric_link" + std::to_string(number);
  link::Wire& forth = new_wire(who + "_forth", cable);
  link::Wire& back = new_wire(who + "_back", cable);
  const int at_a = a.next_port(), at_b = b.next_port();
  auto &out_a = a.out[static_cast<std::size_t>(at_a)],
       &out_b = b.out[static_cast<std::size_t>(at_b)];
  if (spec_.fabric.flow_control == link::FlowControl::ideal) {
    out_a.bind(forth.in), forth.out.bind(b.in);
    out_b.bind(back.in), back.out.bind(a.in);
    return {at_a, at_b};
  }
  link::Port& end_a =
      new_port(std::string(a.name()) + "_port" + std::to_string(at_a), cable.rate, at_a);
  link::Port& end_b =
      new_port(std::string(b.name()) + "_port" + std::to_string(at_b), cable.rate, at_b);
  out_a.bind(end_a.in), out_b.bind(end_b.in);
  end_a.wire_out.bind(forth.in), forth.out.bind(end_b.wire_in);
  end_b.wire_out.bind(back.in), back.out.bind(end_a.wire_in);
  end_a.device.bind(a.in), end_b.device.bind(b.in);
  a.attach(at_a, end_a), b.attach(at_b, end_b);
  far_ends_[&end_a] = {&b, at_b}, far_ends_[&end_b] = {&a, at_a};
  return {at_a, at_b};
}

void System::build_fabric() {
  if (!has_nics(spec_)) return;
  const std::size_t count = spec_.fabric_switches.size();
  if (count == 0) {
    join(0, 1), join(1, 0);
    ports_ = {{&nodes_[0]->nic(0), wires_[0].get(), wires_[1].get()}, {&nodes_[1]->nic(0), wires_[1].get(), wires_[0].get()}};
    return;
  }
  const std::vector<Edge> links = edges(spec_);
  std::vector<int> ports(count);
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    ports[home(spec_, n)] += static_cast<int>(nodes_[n]->nics());
  for (const Edge& edge : links) ++ports[edge.a], ++ports[edge.b];
  const bool managed = spec_.fabric.flow_control != link::FlowControl::ideal;
  for (std::size_t s = 0; s < count; ++s) {
    switches_.push_back(
        std::make_unique<link::Switch>(("fabric_switch" + std::to_string(s)).c_str(), kernel_,
                                       spec_.fabric_switches[s], ports[s]));
    switches_[s]->choose(spec_.fabric.routing);
    if (!managed) continue;
    switches_[s]->manage(spec_.fabric_buffers[s], spec_.fabric,
                         static_cast<std::uint64_t>(spec_.seed));
    if (spec_.dcqcn_on) switches_[s]->mark(spec_.ecn);
    if (spec_.ib_cc_on) switches_[s]->mark(spec_.ib_cc.threshold, spec_.ib_cc.marking_rate);
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    for (std::size_t p = 0; p < nodes_[n]->nics(); ++p)
      attach(nodes_[n]->nic(p), *switches_[home(spec_, n)],
             "node" + std::to_string(n) + "_nic" + std::to_string(p),
             spec_.nodes[n].pairs[p].nic_link);
  std::vector<std::pair<int, int>> ends;
  for (std::size_t i = 0; i < links.size(); ++i)
    ends.push_back(join(i, *switches_[links[i].a], *switches_[links[i].b]));
  const bool one_way = spec_.topology == Topology::ring;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const std::vector<std::size_t> far = hops(links, home(spec_, n), count, one_way);
    for (std::size_t i = 0; i < links.size(); ++i)
      for (std::size_t p = 0; p < nodes_[n]->nics(); ++p) {
        const PortNumber number = nodes_[n]->nic(p).number();
        const Edge& edge = links[i];
        if (far[edge.a] == far[edge.b] + 1) switches_[edge.a]->route(number, ends[i].first);
        if (far[edge.b] == far[edge.a] + 1 && !one_way)
          switches_[edge.b]->route(number, ends[i].second);
      }
  }
}

/// A port waits for those behind it: its far end has no room, as packets that came in there wait
/// for other ports. A walk along such waits that comes back to where it was is a deadlock.
std::vector<std::string> System::deadlock() const {
  struct Place {
    const link::Port* port;
    int priority;
    bool operator<(const Place& other) const {
      return std::tie(port, priority) < std::tie(other.port, other.priority);
    }
  };
  const auto waits_for = [&](const Place& from) {
    std::vector<Place> next;
    const auto [at, number] = far_ends_.at(from.port);
    if (!at || !from.port->blocked(from.priority) || from.port->queue(from.priority).empty())
      return next;
    for (const link::Port* other : at->ends())
      for (int p = 0; other && p < link::priorities; ++p)
        if (other->blocked(p) &&
            std::any_of(other->queue(p).begin(), other->queue(p).end(), [&](const Packet& packet) {
              return packet.ingress == number && packet.priority == from.priority;
            }))
          next.push_back({other, p});
    return next;
  };
  std::set<Place> done;
  std::vector<Place> path;
  std::vector<std::string> found;
  const auto walk = [&](const auto& self, const Place& at) -> bool {
    if (const auto seen = std::find_if(path.begin(), path.end(),
                                       [&](const Place& p) { return !(p < at) && !(at < p); });
        seen != path.end()) {
      for (auto p = seen; p != path.end(); ++p)
        found.push_back(std::string(p->port->name()) + " (priority " + std::to_string(p->priority) +
                        ") holds " + std::to_string(p->port->queue(p->priority).size()) +
                        " packets for " + far_ends_.at(p->port).first->name() +
                        ", which has no room at port " +
                        std::to_string(far_ends_.at(p->port).second));
      return true;
    }
    if (!done.insert(at).second) return false;
    path.push_back(at);
    for (const Place& next : waits_for(at))
      if (self(self, next)) return true;
    path.pop_back();
    return false;
  };
  for (const auto& end : ends_)
    for (int p = 0; p < link::priorities; ++p)
      if (walk(walk, {end.get(), p})) return found;
  return {};
}

}  // namespace gicsim::system
