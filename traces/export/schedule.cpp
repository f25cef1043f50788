// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/schedule.h"

#include <algorithm>
#include <sstream>
#include <tuple>
#include <utility>

#include "traces/schedule/goal.h"
#include "traces/schedule/jsonl.h"
#include "traces/schedule/listed.h"

namespace gicsim::exports {
namespace {

using schedule::Action;
using schedule::Need;
using schedule::Step;

/// What a step takes in either format, about.
constexpr std::size_t step_octets = 160;

/// A message that its receiver was told of is a send, whatever carried it.
Action action_of(std::string_view verb, bool told) {
  if (told) return Action::send;
  for (const Action action : {Action::get, Action::fetch_add, Action::compare_swap})
    if (verb == name_of(action)) return action;
  return Action::put;
}

/// "node0.gpu1.thread3" runs on node0.gpu1.
std::string place_of(const std::string& name) {
  const std::size_t dot = name.find('.');
  return dot == name.npos ? name : name.substr(0, name.find('.', dot + 1));
}

}  // namespace

void ScheduleExporter::listen(const Probes& probes) {
  held_ = 0;
  heard_ = left_out_ = 0;
  machine_ = probes.machine;
  names_.clear(), ranks_.clear(), posts_.clear(), steps_.clear();
  played_ = probes.steps != nullptr;
  if (played_) {
    names_ = probes.machine.ranks;
    steps_.resize(names_.size());
    probes.steps->listen([this](const StepPlayed& one) { hear(one); });
  } else {
    probes.messages.listen([this](const MessageEnded& one) { hear(one); });
  }
}

bool ScheduleExporter::room(std::size_t octets) {
  ++heard_;
  if (left_out_ == 0 && held_ + octets <= static_cast<std::size_t>(limit_.count())) {
    held_ += octets;
    return true;
  }
  ++left_out_;
  return false;
}

std::size_t ScheduleExporter::rank_of(std::string_view who) {
  const auto [found, is_new] = ranks_.try_emplace(std::string(who), names_.size());
  if (is_new) names_.emplace_back(who);
  return found->second;
}

void ScheduleExporter::hear(const MessageEnded& one) {
  if (one.peer.empty() || !one.completion || !room(2 * step_octets)) return;
  const Message& message = one.message;
  const std::size_t from = rank_of(one.poster), to = rank_of(one.peer);
  posts_.push_back({from,
                    to,
                    action_of(one.verb, one.delivery != nullptr),
                    one.bytes,
                    message.begun,
                    message.issued,
                    message.completed,
                    {}});
  if (one.delivery) posts_.back().delivered = message.delivered;
}

void ScheduleExporter::hear(const StepPlayed& played) {
  if (!room(step_octets + played.step.name.size() + 16 * played.step.needs.size())) return;
  Step& step = steps_[played.rank][played.step.number] = played.step;
  step.began = played.began, step.ended = played.ended;
}

/// Each rank's events in order; whatever begins needs the last one before it. A receiver has polled since its last one.
void ScheduleExporter::arrange() {
  using Kind = Event::Kind;
  std::vector<std::vector<Event>> events(names_.size());
  const auto add = [&](std::size_t rank, Picoseconds at, std::size_t post, Kind kind) {
    events[rank].push_back({at, static_cast<int>(kind), post, kind});
  };
  for (std::size_t i = 0; i < posts_.size(); ++i) {
    const Post& post = posts_[i];
    add(post.rank, post.begun, i, Kind::begun);
    add(post.rank, post.issued, i, Kind::issued);
    add(post.rank, post.completed, i, Kind::completed);
    if (post.delivered) add(post.peer, *post.delivered, i, Kind::arrived);
  }
  steps_.assign(names_.size(), {});
  for (std::size_t rank = 0; rank < events.size(); ++rank) {
    std::stable_sort(events[rank].begin(), events[rank].end(),
                     [](const Event& a, const Event& b) { return std::tie(a.at, a.order) < std::tie(b.at, b.order); });
    std::map<std::size_t, std::uint64_t> numbers;  // of posts
    std::optional<std::pair<Picoseconds, Need>> last;
    for (const Event& event : events[rank]) {
      const Post& post = posts_[event.post];
      if (event.kind == Kind::issued || event.kind == Kind::completed) {
        const auto until = event.kind == Kind::issued ? Need::Until::issued : Need::Until::ended;
        last = {event.at, {numbers.at(event.post), until}};
        continue;
      }
      const bool begins = event.kind == Kind::begun;
      Step step;
      step.number = steps_[rank].size();
      step.action = begins ? post.action : Action::recv;
      step.peer = static_cast<std::uint32_t>(begins ? post.peer : post.rank);
      step.bytes = begins ? post.bytes : Bytes{};
      if (last) step.needs.push_back(last->second);
      const Picoseconds since = last ? last->first : Picoseconds{};
      step.gap = begins ? event.at - since : Picoseconds{};
      step.began = begins ? event.at : since;
      step.ended = begins ? post.completed : event.at;
      if (begins) numbers.emplace(event.post, step.number);
      last = {event.at, {step.number, begins ? Need::Until::started : Need::Until::ended}};
      steps_[rank].emplace(step.number, std::move(step));
    }
  }
}

/// Of a replay that was cut, each rank's steps up to the first that is missing.
void ScheduleExporter::finish(const Outcome&) {
  if (!played_) return arrange();
  for (auto& rank : steps_) {
    std::uint64_t whole = 0;
    while (rank.count(whole) != 0) ++whole;
    left_out_ += std::distance(rank.lower_bound(whole), rank.end());
    rank.erase(rank.lower_bound(whole), rank.end());
    for (auto& [number, step] : rank) std::erase_if(step.needs, [&](const Need& need) { return need.step >= whole; });
  }
}

Files ScheduleExporter::files() {
  std::vector<std::vector<Step>> all;
  for (auto& rank : steps_) {
    std::vector<Step>& steps = all.emplace_back();
    for (auto& [number, step] : rank) steps.push_back(std::move(step));
  }
  steps_.clear();
  schedule::Listed source(std::move(all));
  return {{file(), written(source)}};
}

std::vector<LeftOut> ScheduleExporter::left_out() const {
  if (left_out_ == 0) return {};
  return {LeftOut{file(), played_ ? "steps" : "messages", left_out_, heard_}};
}

std::string ScheduleExporter::written(schedule::Source& source) const {
  std::vector<std::string> hosts, notes{"of " + machine_.scenario + " on " + machine_.system + ", by gicsim"};
  for (const std::string& name : names_) hosts.push_back(place_of(name));
  if (left_out_ > 0) notes.push_back("cut: " + std::to_string(left_out_) + " were left out");
  std::ostringstream out;
  schedule::write_schedule(source, out, hosts, notes, machine_.keys);
  return std::move(out).str();
}

std::string GoalExporter::written(schedule::Source& source) const {
  std::ostringstream out;
  schedule::write_goal(source, out);
  return std::move(out).str();
}

}  // namespace gicsim::exports
