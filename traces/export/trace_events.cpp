// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <queue>
#include <tuple>

#include "traces/export/json_text.h"

namespace gicsim::exports {
namespace {

constexpr std::size_t frame = 48;  ///< of an event, at least: phase, pid, tid, time

std::string named(std::string_view name, std::string_view category, const std::string& arguments) {
  return fmt::format("\"name\":{},\"cat\":{},\"args\":{{{}}}", quoted(name), quoted(category), arguments);
}

/// Viewers add ts and dur as floating numbers. Where that reaches into what begins at the end, it ends a thousandth of
/// a picosecond earlier, but for whole nanoseconds: viewers that count those round down.
std::string duration(Picoseconds begin, Picoseconds lasts) {
  const auto us = [](Picoseconds t) { return static_cast<double>(t.count()) / 1e6; };
  const bool reaches = us(begin) + us(lasts) > us(begin + lasts);
  const std::int64_t ps = lasts.count();
  if (!reaches || ps % 1000 == 0) return microseconds(lasts);
  return fmt::format("{}.{:06}999", (ps - 1) / 1'000'000, (ps - 1) % 1'000'000);
}

}  // namespace

/// Where each event stands.
struct TraceEvents::Lanes {
  std::vector<std::size_t> tid;     ///< by event
  std::vector<std::size_t> first;   ///< tid, by track
  std::vector<std::size_t> number;  ///< of lanes, by track
};

std::size_t TraceEvents::process(const std::string& name) {
  return pids_.try_emplace(name, pids_.size() + 1).first->second;
}

TraceEvents::Track TraceEvents::track(const std::string& process, const std::string& name, int rank) {
  const std::size_t pid = this->process(process);
  const auto [found, fresh] = tracks_.try_emplace({pid, name}, places_.size());
  if (fresh) places_.push_back({process, name, rank, pid});
  return found->second;
}

void TraceEvents::Unit::slice(Track track, Picoseconds begin, Picoseconds lasts, std::string_view name,
                              std::string_view category, std::string arguments, std::vector<Flow> flows) {
  events_.push_back({'X', track, begin, lasts, 0, named(name, category, arguments), std::move(flows)});
}

void TraceEvents::Unit::instant(Track track, Picoseconds at, std::string_view name, std::string_view category,
                                std::string arguments) {
  events_.push_back({'i', track, at, {}, 0, named(name, category, arguments) + ",\"s\":\"t\"", {}});
}

void TraceEvents::Unit::span(Track track, Picoseconds begin, Picoseconds lasts, std::string_view name,
                             std::string_view category, std::uint64_t id, std::string arguments) {
  events_.push_back({'b', track, begin, lasts, id, named(name, category, arguments), {}});
}

void TraceEvents::Unit::counter(Track track, Picoseconds at, std::string_view name, std::string value) {
  events_.push_back(
      {'C', track, at, {}, 0, fmt::format("\"name\":{},\"args\":{{\"value\":{}}}", quoted(name), value), {}});
}

void TraceEvents::add(Unit unit) {
  std::size_t size = 0;
  for (const Unit::Event& event : unit.events_)
    size += (frame + event.rest.size()) * (event.phase == 'b' ? 2 : 1) + event.flows.size() * frame;
  if (full() || size_ + size > static_cast<std::size_t>(limit_.count())) {
    ++left_out_;
    return;
  }
  size_ += size;
  std::move(unit.events_.begin(), unit.events_.end(), std::back_inserter(events_));
  ends_.push_back(events_.size());
}

/// Slices of a track by their beginnings, each on the lowest lane that is free.
TraceEvents::Lanes TraceEvents::lanes_of(std::size_t events) const {
  std::vector<std::vector<std::size_t>> by_track(places_.size());
  for (std::size_t i = 0; i < events; ++i) by_track[events_[i].track].push_back(i);
  std::vector<std::size_t> order(places_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return std::tie(places_[a].pid, places_[a].rank, places_[a].name) <
           std::tie(places_[b].pid, places_[b].rank, places_[b].name);
  });
  Lanes lanes{std::vector<std::size_t>(events), std::vector<std::size_t>(places_.size()),
              std::vector<std::size_t>(places_.size())};
  std::size_t next = 1;
  for (const std::size_t track : order) {
    std::vector<std::size_t>& mine = by_track[track];
    std::stable_sort(mine.begin(), mine.end(),
                     [this](std::size_t a, std::size_t b) { return events_[a].begin < events_[b].begin; });
    using Until = std::pair<Picoseconds, std::size_t>;
    std::priority_queue<Until, std::vector<Until>, std::greater<>> taken;
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> idle;
    std::size_t number = mine.empty() ? 0 : 1;
    if (number > 0) idle.push(0);
    for (const std::size_t i : mine) {
      std::size_t lane = 0;
      if (events_[i].phase == 'X') {
        for (; !taken.empty() && taken.top().first <= events_[i].begin; taken.pop()) idle.push(taken.top().second);
        if (idle.empty()) idle.push(number++);
        lane = idle.top();
        idle.pop();
        taken.emplace(events_[i].begin + events_[i].lasts, lane);
      }
      lanes.tid[i] = next + lane;
    }
    lanes.first[track] = next, lanes.number[track] = number;
    next += number;
  }
  return lanes;
}

std::string TraceEvents::written(const Lanes& lanes, std::size_t events, const std::string& head) const {
  std::string out = head;
  auto line = [&out, first = true](const std::string& event) mutable {
    out += (first ? "\n" : ",\n") + event;
    first = false;
  };
  std::map<std::size_t, bool> told;
  for (std::size_t track = 0; track < places_.size(); ++track) {
    const Place& place = places_[track];
    if (lanes.number[track] == 0) continue;
    if (!std::exchange(told[place.pid], true)) {
      line(fmt::format(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":{}}}}})", place.pid,
                       quoted(place.process)));
      line(fmt::format(R"({{"ph":"M","pid":{0},"name":"process_sort_index","args":{{"sort_index":{0}}}}})", place.pid));
    }
    for (std::size_t lane = 0; lane < lanes.number[track]; ++lane) {
      const std::size_t tid = lanes.first[track] + lane;
      const std::string name = lane == 0 ? place.name : fmt::format("{} ({})", place.name, lane + 1);
      line(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}})", place.pid, tid,
                       quoted(name)));
      line(fmt::format(R"({{"ph":"M","pid":{0},"tid":{1},"name":"thread_sort_index","args":{{"sort_index":{1}}}}})",
                       place.pid, tid));
    }
  }
  for (std::size_t i = 0; i < events; ++i) {
    const Unit::Event& event = events_[i];
    const std::string at =
        fmt::format(R"("pid":{},"tid":{},"ts":{})", places_[event.track].pid, lanes.tid[i], microseconds(event.begin));
    if (event.phase == 'b') {
      const std::string end = fmt::format(R"("pid":{},"tid":{},"ts":{})", places_[event.track].pid, lanes.tid[i],
                                          microseconds(event.begin + event.lasts));
      line(fmt::format(R"({{"ph":"b",{},"id":"{:#x}",{}}})", at, event.id, event.rest));
      line(fmt::format(R"({{"ph":"e",{},"id":"{:#x}",{}}})", end, event.id,
                       event.rest.substr(0, event.rest.find(",\"args\""))));
      continue;
    }
    const std::string lasts = event.phase == 'X' ? ",\"dur\":" + duration(event.begin, event.lasts) : "";
    line(fmt::format(R"({{"ph":"{}",{}{},{}}})", event.phase, at, lasts, event.rest));
    for (const Flow& flow : event.flows)
      line(fmt::format(R"({{"ph":"{}",{},"id":{},"name":"message","cat":"flow"{}}})", static_cast<char>(flow.part), at,
                       flow.id, flow.part == Flow::Part::start ? "" : R"(,"bp":"e")"));
  }
  return out + "\n]}\n";
}

/// Names of tracks count, too, and how many there are is known only now: of too much, the last units go.
std::string TraceEvents::text(const std::vector<std::pair<std::string, std::string>>& about) {
  std::string head = "{\"displayTimeUnit\":\"ns\",\"otherData\":{";
  for (const auto& [key, value] : about) head += (head.back() == '{' ? "" : ",") + quoted(key) + ":" + quoted(value);
  head += "},\"traceEvents\":[";
  for (const auto limit = static_cast<std::size_t>(limit_.count());;) {
    const std::size_t events = ends_.empty() ? 0 : ends_.back();
    std::string out = written(lanes_of(events), events, head);
    if (out.size() <= limit || ends_.empty()) return out;
    const std::size_t units = ends_.size(), less = 1 + (out.size() - limit) * units / out.size();
    ends_.resize(units - std::min(units, less));
    left_out_ += static_cast<Count>(std::min(units, less));
  }
}

}  // namespace gicsim::exports
