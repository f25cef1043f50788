// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/export/timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/units/text.h"
#include "traces/export/json_text.h"
#include "traces/export/places.h"
#include "traces/export/timeline_tracks.h"

namespace gicsim::exports {
namespace {

bool belongs(std::string_view who, std::string_view module) {
  return who.starts_with(module) && (who.size() == module.size() || who[module.size()] == '.');
}

/// Entries that two branches have in common: what was before the fork.
std::size_t shared_by(const Ledger* a, const Ledger* b) {
  if (!a || !b || a->begun() != b->begun()) return 0;
  const auto [end, other] =
      std::mismatch(a->entries().begin(), a->entries().end(), b->entries().begin(), b->entries().end());
  return static_cast<std::size_t>(end - a->entries().begin());
}

}  // namespace

void Timeline::listen(const Probes& probes) {
  events_ = TraceEvents(options_.limit);
  machine_ = probes.machine;
  gauges_.assign(probes.gauges.begin(), probes.gauges.end());
  levels_.assign(gauges_.size(), {});
  messages_ = 0;
  sampled_ = {};
  for (const Gauge& gauge : gauges_)
    if (const Place place = place_of(gauge.module); place.process != "fabric")
      events_.process(std::string(place.process));
  events_.process("fabric");
  probes.messages.listen([this](const MessageEnded& ended) { on_message(ended); });
  probes.tlps.listen([this](const TlpSent& sent) { on_tlp(sent); });
  probes.packets.listen([this](const PacketSent& sent) { on_packet(sent); });
  probes.port_events.listen([this](const PortEvent& event) { on_port(event); });
}

Picoseconds Timeline::interval() const { return events_.full() ? Picoseconds{} : options_.interval.value_or(1us); }

Timeline::Track Timeline::track_of(const Ledger::Entry& entry, const MessageEnded& ended) {
  const std::string_view layer = layer_of(entry.stage), at = entry.at;
  if (layer == "L1" || layer == "L2")
    for (const std::string_view who : {ended.poster, ended.peer})
      if (belongs(who, at)) {
        const Place place = place_of(who);
        return events_.track(std::string(place.process), std::string(place.name), threads);
      }
  const Place place = place_of(at);
  const std::string process(place.process), name(place.name);
  if (layer == "L4") return events_.track(process, name + " " + std::string(name_of(entry.stage)), engines);
  return events_.track(process, name, layer == "L3" ? pcie : layer == "L5" ? cables : devices);
}

/// @param from  entries before it are drawn already; those before `shared` belong to both branches
void Timeline::stages(TraceEvents::Unit& unit, const MessageEnded& ended, const Ledger& ledger, std::size_t from,
                      std::size_t shared, std::string_view branch) {
  using Flow = TraceEvents::Flow;
  const Ledger::Entries& entries = ledger.entries();
  const bool forks = from == 0 && ended.delivery && &ledger != ended.delivery && shared > 0 &&
                     shared < ended.delivery->entries().size();
  const std::uint64_t id = 2 * messages_ + (from > 0 ? 1 : 0);
  Picoseconds at = ledger.begun();
  bool begun = from > 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Ledger::Entry& entry = entries[i];
    const Picoseconds begin = std::max(at, ended.message.begun), end = at += entry.time;
    if (i < from || end <= begin) continue;
    std::vector<Flow> flows;
    const bool last = i + 1 == entries.size();
    if (begun || !last) flows.push_back({!begun ? Flow::Part::start : last ? Flow::Part::end : Flow::Part::step, id});
    if (forks && i + 1 == shared) flows.push_back({Flow::Part::start, id + 1});
    begun = true;
    unit.slice(
        track_of(entry, ended), begin, end - begin, name_of(entry.stage), layer_of(entry.stage),
        fmt::format(R"("message":{},"branch":"{}","ps":{},"waiting_ps":{},"at":{})", messages_,
                    i < shared ? "both" : branch, (end - begin).count(), entry.waiting.count(), quoted(entry.at)),
        std::move(flows));
  }
}

/// From when its WQEs were built until its poster knew that it was complete, it has its place in the ring.
void Timeline::ring(TraceEvents::Unit& unit, const MessageEnded& ended) {
  if (ended.queue_pair.empty() || !ended.completion) return;
  Picoseconds at = ended.completion->begun(), built = ended.message.begun;
  for (const Ledger::Entry& entry : ended.completion->entries()) {
    at += entry.time;
    if (entry.stage == Stage::build_wqe) built = std::max(built, at);
    if (entry.stage > Stage::doorbell_issue) break;
  }
  const Place place = place_of(ended.queue_pair);
  const Track track = events_.track(std::string(place.process), joined(place.name, " send queue"), rings);
  unit.slice(track, built, ended.completion->last() - built, fmt::format("WQE {}", ended.message.index), "ring",
             fmt::format(R"("message":{},"units":{})", messages_, ended.message.units));
}

void Timeline::on_message(const MessageEnded& ended) {
  const Ledger *first = ended.completion ? ended.completion : ended.delivery,
               *second = ended.completion ? ended.delivery : nullptr;
  if (!first) return;
  ++messages_;
  TraceEvents::Unit unit;
  const Place poster = place_of(ended.poster);
  const Picoseconds end = std::max(first->last(), second ? second->last() : Picoseconds{});
  unit.span(
      events_.track(std::string(poster.process), std::string(poster.name), threads), ended.message.begun,
      end - ended.message.begun, fmt::format("{} {}", ended.verb, text::write(ended.bytes)), "message", messages_,
      fmt::format(
          R"("message":{},"number":{},"poster":{},"peer":{},"queue_pair":{},"measured":{},"completion_ps":{},"delivery_ps":{})",
          messages_, ended.message.number, quoted(ended.poster), quoted(ended.peer), quoted(ended.queue_pair),
          ended.measured, ended.completion ? (ended.completion->last() - ended.message.begun).count() : 0,
          ended.delivery ? (ended.delivery->last() - ended.message.begun).count() : 0));
  const std::size_t shared = shared_by(first, second);
  stages(unit, ended, *first, 0, shared, ended.completion ? "completion" : "delivery");
  if (second) stages(unit, ended, *second, shared, shared, "delivery");
  ring(unit, ended);
  events_.add(std::move(unit));
}

void Timeline::finish(const Outcome& outcome) {
  text_ = events_.text({{"schema", "gicsim.timeline/1"},
                        {"scenario", machine_.scenario},
                        {"system", machine_.system},
                        {"status", outcome.status},
                        {"time", "simulated; the viewer's clock has nanoseconds, \"ps\" in the arguments is exact"}});
}

std::vector<LeftOut> Timeline::left_out() const {
  if (events_.left_out() == 0) return {};
  return {{"timeline.json", "messages, TLPs, packets and samples", events_.left_out(),
           events_.left_out() + events_.written()}};
}

}  // namespace gicsim::exports
