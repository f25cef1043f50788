// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/whatif/replay.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "models/base/context.h"
#include "models/units/text.h"
#include "scenarios/paths/make.h"
#include "scenarios/whatif/bound.h"
#include "scenarios/whatif/heard.h"
#include "scenarios/whatif/replay_plan.h"
#include "scenarios/whatif/replay_sums.h"
#include "scenarios/whatif/results.h"

namespace gicsim::whatif {
namespace {

using workloads::Played;
using workloads::Spent;

/// A replay of more events isn't repeated for its gain; counted, not timed, so that reports are equal.
constexpr Count longest_repeated = 20'000'000;

/// A built machine with the trace, in a SystemC context of its own.
struct Stage {
  ContextScope context;
  system::System system;
  std::unique_ptr<paths::Connections> connections;
  std::unique_ptr<workloads::Replay> replay;

  Stage(const Plan& plan, schedule::Source& source, const workloads::ReplayOptions& options)
      : system(plan.scenario.system) {
    workloads::Replay::Pairs pairs;
    if (!plan.talks.empty()) {
      connections = std::make_unique<paths::Connections>(system, plan.scenario);
      for (std::size_t i = 0; i < plan.talks.size(); ++i) {
        paths::Ends& ends = connections->ends()[i];
        pairs.emplace(plan.talks[i], workloads::Pair{*ends.near, *ends.far});
      }
    }
    replay = std::make_unique<workloads::Replay>(system.kernel(), source, std::move(pairs), plan.scenario, options);
  }
  ~Stage() { system.kernel().abandon(); }
};

report::Rows rows_of(const Spent& spent) {
  report::Rows rows;
  for (std::size_t kind = 0; kind < Spent::kinds; ++kind)
    if (spent[kind] != Picoseconds{})
      rows.push_back({std::string(Spent::layer(kind)), std::string(Spent::name(kind)), spent[kind], {}, {}});
  return rows;
}

/// The busiest resource if one is saturated, else the largest part of the longest chain.
std::optional<report::Bound> bound_of(const report::Replay& replay, const report::Bound& busiest) {
  if (busiest.share >= saturated) return busiest;
  const auto largest = std::max_element(replay.path_rows.begin(), replay.path_rows.end(),
                                        [](const report::Row& a, const report::Row& b) { return a.time < b.time; });
  if (largest == replay.path_rows.end()) return std::nullopt;
  report::Bound bound;
  bound.resource = largest->layer == "-" ? largest->stage : largest->layer + "." + largest->stage;
  bound.share = static_cast<double>(largest->time.count()) / static_cast<double>(replay.makespan.count());
  return bound;
}

void tell_end(report::Replay& out, Stage& stage) {
  const workloads::Replay& replay = *stage.replay;
  const Picoseconds now = stage.system.kernel().now();
  if (const auto& early = replay.early()) {
    out.status = Status::ordering_violation;
    out.diagnosis = diagnose(*early);
  } else if (const auto failures = stage.system.failures(); !failures.empty()) {
    out.status = Status::error_completion;
    out.diagnosis = diagnose(failures);
  } else if (!replay.finished()) {
    Location at;
    if (const auto circle = replay.circle(at); !circle.empty()) {
      std::string names;
      for (const std::string& name : circle) names += (names.empty() ? "" : ", which needs ") + name;
      throw ConfigError(at,
                        "steps need each other in a circle, so none can begin: " + names + ", which needs the first");
    }
    out.status = Status::stuck;
    out.diagnosis = report::Diagnosis{"the schedule can't go on", replay.waiting(), now};
    for (std::string& line : stage.system.unfinished()) out.diagnosis->waits_for.push_back(std::move(line));
  } else {
    stage.system.check_books();
    if (const Picoseconds sum = replay.replayed().path.total(); sum != replay.replayed().makespan)
      throw ModelError("replay", now,
                       "the longest chain's parts add up to " + text::write(sum) + ", not to the makespan, " +
                           text::write(replay.replayed().makespan));
  }
}

report::Replay play_once(const Plan& plan, schedule::Source& source, const ReplayRequest& request,
                         const Exporters& exporters, bool heard_of) {
  const auto begun = std::chrono::steady_clock::now();
  Stage stage(plan, source, request.options);
  Probe<StepPlayed> steps;
  std::vector<std::string> where;
  for (const RankPlace& at : plan.places) where.push_back(name_of(at));
  Heard heard(exporters, plan.scenario, stage.system, stage.replay->messages(), &steps, where);
  ReplaySums sums;
  stage.replay->on_played([&](const Played& one) {
    sums.add(one);
    steps.announce(StepPlayed{one.rank, one.step, one.began, one.ended});
    if (heard_of && request.played) request.played(one);
  });
  if (request.progress)
    stage.replay->on_progress(
        [&] { request.progress(heard_of ? "replaying" : "replaying once more", source.progress()); });
  stage.replay->start();
  do stage.system.kernel().run();
  while (!stage.replay->finished() && stage.system.failures().empty() && stage.replay->go_on());

  report::Replay out;
  tell_end(out, stage);
  const workloads::Replayed& played = stage.replay->replayed();
  out.steps = played.steps, out.calcs = played.calcs, out.messages = played.messages;
  out.bytes = played.bytes;
  out.makespan = played.makespan;
  out.path_rows = rows_of(played.path);
  out.message_rows = rows_of(played.messages_by_stage);
  sums.fill(out);
  for (std::size_t r = 0; r < plan.places.size(); ++r) {
    const workloads::Replayed::Rank& rank = played.ranks[r];
    out.ranks.push_back({where[r], "", rank.messages, rank.sent, rank.compute, rank.ended});
  }
  if (out.status == Status::done && out.makespan > Picoseconds{}) {
    const report::Bound most = busiest({}, uses(plan.scenario, stage.system), stage.system.kernel().now());
    out.bound_by = bound_of(out, most);
    out.busiest = most.resource, out.busiest_share = most.share;
  }
  out.counters = counters(stage.system);
  out.events = stage.system.kernel().events() - heard.events();
  out.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  heard.finish(out.status, stage.system.kernel().now(), port_counters(stage.system));
  return out;
}

/// Plays it again with what binds twice as fast.
void measure_gain(report::Replay& out, Plan plan, schedule::Source& source, ReplayRequest request) {
  report::Bound& bound = *out.bound_by;
  if (out.events > longest_repeated || bound.resource == Spent::name(Spent::idle)) return;
  if (bound.resource == "L2.compute") {
    request.options.compute /= 2;
    bound.widened = "calcs halved";
  } else {
    bound.widened = widen(plan.scenario, bound);
  }
  if (bound.widened.empty()) return;
  source.rewind();
  const report::Replay second = play_once(plan, source, request, {}, false);
  out.events += second.events;
  out.wall_seconds += second.wall_seconds;
  if (second.status == Status::done)
    bound.gain = 1 - static_cast<double>(second.makespan.count()) / static_cast<double>(out.makespan.count());
}

std::vector<std::string> words_for(const schedule::Source& source, const schedule::Talk& talk) {
  std::string actions;
  for (std::size_t i = 0; i < talk.actions.size(); ++i)
    if (talk.actions[i] > 0)
      actions += (actions.empty() ? "" : ", ") + text::write(static_cast<Count>(talk.actions[i])) + " " +
                 std::string(schedule::action_names[i]);
  Count messages = 0;
  Bytes bytes;
  for (const auto& [pair, sum] : talk.pairs) messages += static_cast<Count>(sum.messages), bytes += sum.bytes;
  std::vector<std::string> lines{
      text::write(static_cast<Count>(source.ranks())) + " ranks, " + text::write(static_cast<Count>(talk.steps)) +
          " steps" + (actions.empty() ? "" : " (" + actions + ")"),
      text::write(messages) + " messages between " + text::write(static_cast<Count>(talk.pairs.size())) + " pairs, " +
          text::write(bytes) + ", the longest of " + text::write(talk.longest)};
  if (talk.began) lines.push_back("captured over " + text::write(rounded(talk.last - talk.first)));
  return lines;
}

}  // namespace

report::Replay replay(schedule::Source& source, const ReplayRequest& given, const std::string& root) {
  ReplayRequest request = given;
  if (request.inferred && request.options.start == workloads::ReplayOptions::Start::captured)
    request.options.needs = false;
  const schedule::Talk talk = schedule::listen(source, [&] {
    if (request.progress) request.progress("reading", source.progress());
  });
  if (talk.steps == 0)
    throw ConfigError(Location{request.files.empty() ? "replay" : request.files.front()},
                      source.format() + " without a step to play; 'gicsim trace info' says what is in it");
  if (request.options.start == workloads::ReplayOptions::Start::captured && !talk.began)
    throw ConfigError(Location{"--start"}, "captured, but the trace has no times; write '--start dependencies'");
  const Plan planned = plan(source, talk, request, root);
  report::Replay out = [&] {
    try {
      return play_once(planned, source, request, request.exporters, true);
    } catch (...) {
      broke_off(request.exporters);
      throw;
    }
  }();
  const schema::Scenario& s = planned.scenario;
  out.unused = source.unused();
  out.notes = source.notes();
  if (out.bound_by && request.gain) measure_gain(out, planned, source, request);
  out.files = request.files;
  out.format = source.format();
  out.system = s.system.name;
  out.path = to_name(s.path);
  out.start = request.options.start == workloads::ReplayOptions::Start::captured ? "captured" : "dependencies";
  out.seed = s.seed;
  out.read = words_for(source, talk);
  const std::vector<std::string> hosts = source.hosts();
  for (std::size_t r = 0; r < hosts.size() && r < out.ranks.size(); ++r) out.ranks[r].host = hosts[r];
  out.notes.insert(out.notes.end(), s.system.notes.begin(), s.system.notes.end());
  out.warnings = s.warnings;
  out.provenance = describe_run(s).provenance;
  const auto same_node =
      std::count_if(s.lanes.begin(), s.lanes.end(), [](const schema::Lane& l) { return l.from == l.to; });
  if (same_node > 0)
    out.notes.push_back(text::write(static_cast<Count>(same_node)) +
                        " pairs are of one node: their messages go through its "
                        "NICs, as NVLink isn't modelled");
  return out;
}

}  // namespace gicsim::whatif
