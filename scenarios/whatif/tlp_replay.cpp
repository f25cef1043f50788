// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/tlp_replay.h"

#include <algorithm>
#include <set>

#include "models/base/context.h"
#include "models/units/text.h"
#include "scenarios/whatif/bound.h"
#include "scenarios/whatif/heard.h"
#include "scenarios/whatif/results.h"
#include "scenarios/whatif/tlp_plan.h"
#include "scenarios/whatif/tlp_player.h"
#include "scenarios/whatif/tlp_sums.h"

namespace gicsim::whatif {
namespace {

using Open = std::function<std::unique_ptr<tlp::Source>()>;

constexpr Count most_repeated = 20'000'000;  ///< events; a longer replay isn't repeated for its gain

/// The machine's links by their senders' names.
std::set<std::string> senders(const system::System& system) {
  std::set<std::string> names;
  system.visit_stats([&](const std::string& module, const auto& stats) {
    using S = std::remove_cvref_t<decltype(stats)>;
    if constexpr (std::is_same_v<S, pcie::LinkStats> || std::is_same_v<S, pcie::ConduitStats> ||
                  std::is_same_v<S, pcie::SocketLinkStats>)
      names.insert(module);
  });
  return names;
}

std::array<std::string, 2> way_names(const std::set<std::string>& names, const std::string& link) {
  if (names.contains(link)) return {"", link};  // between sockets
  std::string coherent = link;
  if (coherent.ends_with("_pcie")) coherent.replace(coherent.size() - 4, 4, "c2c");
  for (const std::string& name : {link, coherent})
    if (names.contains(name + "_up")) return {name + "_up", name + "_down"};
  return {};
}

TlpStands stands_of(const TlpPlan& plan, const tlp::Requests& trace, system::System& system) {
  TlpStands stands;
  for (std::size_t entry = 0; entry < trace.entries().size(); ++entry) {
    const TlpDevice& seat = plan.seat(entry);
    const schema::SystemSpec& spec = plan.scenario().system;
    const std::string who =
        seat.who == "host" && spec.sockets > 1 ? "host" + std::to_string(spec.host_socket) : seat.who;
    const system::Node::Plug* plug = system.node(seat.node).plug(who);
    if (!plug) throw ConfigError(Location{"--system"}, spec.name + " has no port " + name_of(seat));
    const Picoseconds lead = seat.who == "host" ? spec.nodes[seat.node].root.latency : Picoseconds{};
    stands.seats.push_back({plug->port->memory.operator->(), seat.who.starts_with("nic"), lead});
  }
  const std::set<std::string> names = senders(system);
  for (std::size_t link = 0; link < trace.links().size(); ++link)
    stands.links.push_back(way_names(names, plan.link(link)));
  stands.target = [&plan](const tlp::Request& request) { return plan.target(request); };
  return stands;
}

/// The busiest resource if one is saturated, else the largest part of the chain.
report::Bound binding(const report::TlpReplay& replay, const report::Bound& busiest) {
  if (busiest.share >= saturated || replay.path_rows.empty()) return busiest;
  const auto largest = std::max_element(replay.path_rows.begin(), replay.path_rows.end(),
                                        [](const report::Row& a, const report::Row& b) { return a.time < b.time; });
  report::Bound bound;
  bound.resource = largest->layer == "-" ? largest->stage : largest->layer + "." + largest->stage;
  bound.share = static_cast<double>(largest->time.count()) / static_cast<double>(replay.makespan.count());
  return bound;
}

report::TlpReplay play_tlps(const TlpPlan& plan, const tlp::Requests& surveyed, const Open& open,
                            const ReplayRequest& request, const Exporters& exporters) {
  const ContextScope context;
  system::System system(plan.scenario().system);
  const std::unique_ptr<tlp::Source> source = open();
  tlp::Requests trace(*source);
  Probe<MessageEnded> messages;
  Heard heard(exporters, plan.scenario(), system, messages);
  const TlpStands stands = stands_of(plan, surveyed, system);
  const bool captured = request.options.start == workloads::ReplayOptions::Start::captured;
  TlpPlayer player(system.kernel(), system.tlps(), trace, stands,
                   captured ? TlpPlayer::Start::captured : TlpPlayer::Start::causes);
  if (request.progress) player.on_progress([&] { request.progress("replaying", source->progress()); });
  player.start();
  system.kernel().run();

  report::TlpReplay out;
  const Picoseconds now = system.kernel().now();
  if (!player.finished()) {
    out.status = Status::stuck;
    out.diagnosis = report::Diagnosis{"the trace's requests can't go on", player.waiting(), now};
    for (std::string& line : system.unfinished()) out.diagnosis->waits_for.push_back(std::move(line));
  } else {
    system.check_books();
  }
  out.requests = player.begun();
  out.makespan = player.end();
  out.path_rows = chain_rows(player.chain());
  if (const Picoseconds sum = report::total(out.path_rows); sum != out.makespan)
    throw ModelError(
        "replay", now,
        "the chain's parts add up to " + text::write(sum) + ", not to the makespan, " + text::write(out.makespan));
  out.classes = classes_of(surveyed, plan, player);
  out.links = links_of(surveyed, stands, system, std::max(now, Picoseconds{1}));
  out.failures.assign(player.failures().begin(), player.failures().end());
  if (out.status == Status::done && out.makespan > Picoseconds{}) {
    const report::Bound most = busiest({}, uses(plan.scenario(), system), now);
    out.bound_by = binding(out, most);
    out.busiest = most.resource, out.busiest_share = most.share;
  }
  out.counters = counters(system);
  out.events = system.kernel().events() - heard.events();
  heard.finish(out.status, now, port_counters(system));
  return out;
}

void gain_of_tlps(report::TlpReplay& out, TlpPlan plan, const tlp::Requests& trace, const Open& open,
                  const ReplayRequest& request) {
  report::Bound& bound = *out.bound_by;
  if (out.events > most_repeated || bound.resource == "gap" || bound.resource == "L3.queued") return;
  bound.widened = widen(plan.scenario(), bound);
  if (bound.widened.empty()) return;
  const report::TlpReplay second = play_tlps(plan, trace, open, request, {});
  out.events += second.events;
  if (second.status == Status::done)
    bound.gain = 1 - static_cast<double>(second.makespan.count()) / static_cast<double>(out.makespan.count());
}

}  // namespace

report::TlpReplay replay_tlps(const Open& open, const ReplayRequest& request, const std::string& root) {
  const std::unique_ptr<tlp::Source> source = open();
  tlp::Requests trace(*source);
  const TlpPlan plan(trace, request, root);
  if (trace.read() == 0)
    throw ConfigError(Location{request.files.front()},
                      source->format() + " without a request to play; 'gicsim trace info' says what is in it");
  report::TlpReplay out = [&] {
    try {
      return play_tlps(plan, trace, open, request, request.exporters);
    } catch (...) {
      broke_off(request.exporters);
      throw;
    }
  }();
  if (out.bound_by && request.gain) gain_of_tlps(out, plan, trace, open, request);
  const schema::Scenario& s = plan.scenario();
  out.files = request.files, out.format = source->format();
  out.system = s.system.name, out.seed = s.seed;
  out.start = request.options.start == workloads::ReplayOptions::Start::captured ? "captured" : "dependencies";
  out.captured = trace.last() - trace.first();
  out.unanswered = static_cast<Count>(trace.unanswered());
  for (const auto& [why, n] : trace.unused()) out.unused.emplace_back(why, static_cast<Count>(n));
  if (!source->note().empty()) out.notes.push_back(source->note());
  out.notes.insert(out.notes.end(), plan.notes().begin(), plan.notes().end());
  out.notes.insert(out.notes.end(), s.system.notes.begin(), s.system.notes.end());
  out.warnings = s.warnings;
  out.provenance = describe_run(s).provenance;
  return out;
}

}  // namespace gicsim::whatif
