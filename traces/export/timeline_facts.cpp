// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
//
// What a timeline shows beside messages: TLPs, packets, ports, samples.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/units/text.h"
#include "traces/export/json_text.h"
#include "traces/export/places.h"
#include "traces/export/timeline.h"
#include "traces/export/timeline_tracks.h"

namespace gicsim::exports {
namespace {

/// In percent of `elapsed`. Some count a time when it begins: what is beyond now is the next one's.
std::string share(const Gauge& gauge, std::int64_t& ahead, std::int64_t counted, Picoseconds elapsed) {
  const double whole = static_cast<double>(elapsed.count()) * gauge.servers;
  const auto busy = std::min(static_cast<double>(ahead + counted), whole);
  ahead += counted - static_cast<std::int64_t>(busy);
  return fmt::format("{:.1f}", 100 * busy / whole);
}

}  // namespace

void Timeline::on_tlp(const TlpSent& sent) {
  if (events_.full()) return events_.add({});
  const Place place = place_of(sent.link);
  const Tlp& tlp = sent.tlp;
  TraceEvents::Unit unit;
  unit.slice(events_.track(std::string(place.process), joined(place.name, " TLPs"), pcie + 1), sent.begin,
             sent.end - sent.begin, fmt::format("{} {}", name_of(tlp.kind), text::write(tlp.length)), "tlp",
             fmt::format(R"("for":"{}","requester":{},"tag":{},"address":"{:#x}")",
                         tlp.transfer ? name_of(tlp.transfer->stage) : "-", tlp.requester, tlp.tag, tlp.address));
  events_.add(std::move(unit));
}

void Timeline::on_packet(const PacketSent& sent) {
  if (events_.full()) return events_.add({});
  const Place place = place_of(sent.wire);
  const Packet& packet = sent.packet;
  TraceEvents::Unit unit;
  const std::string process(place.process),
      arguments = fmt::format(R"("psn":{},"qp":{},"wire":{})", packet.psn, packet.qpn, quoted(sent.wire));
  const std::string_view kind = name_of(packet.kind);
  const std::string name =
      packet.payload > 0_B ? fmt::format("{} {}", kind, text::write(packet.payload)) : std::string(kind);
  unit.slice(events_.track(process, joined(place.name, " packets"), cables + 1), sent.begin, sent.end - sent.begin,
             sent.lost ? name + " (lost)" : name, "packet", arguments);
  const bool told =
      packet.kind == PacketKind::cnp || packet.kind == PacketKind::pause || packet.ecn == Ecn::congested || sent.lost;
  if (told)
    unit.instant(events_.track(process, "congestion", congestion), sent.begin,
                 sent.lost ? "lost" : packet.ecn == Ecn::congested ? "marked" : kind, "congestion", arguments);
  events_.add(std::move(unit));
}

void Timeline::on_port(const PortEvent& event) {
  const Place place = place_of(event.port);
  TraceEvents::Unit unit;
  unit.instant(events_.track(std::string(place.process), joined(place.name, " port"), congestion), event.at,
               event.up ? "up" : "down", "port", "");
  events_.add(std::move(unit));
}

/// What doesn't change has no events.
void Timeline::sample(const Sample& sample) {
  TraceEvents::Unit unit;
  for (std::size_t i = 0; i < gauges_.size(); ++i) {
    const Gauge& gauge = gauges_[i];
    Level& level = levels_[i];
    const std::int64_t before = std::exchange(level.value, sample.values[i]);
    const bool first = level.shown.empty();
    if (first) level.shown = gauge.busy ? "0.0" : std::to_string(level.value);
    if (first || sample.at == sampled_) continue;
    const std::string now = gauge.busy ? share(gauge, level.ahead, level.value - before, sample.at - sampled_)
                                       : std::to_string(level.value);
    if (now == level.shown) continue;
    const Place place = place_of(gauge.module);
    const std::string name = fmt::format("{}.{}{}", place.name, gauge.what,
                                         gauge.busy                                   ? " busy %"
                                         : gauge.unit.empty() || gauge.unit == "bool" ? ""
                                                                                      : " " + gauge.unit);
    const Track track = events_.track(std::string(place.process), "counters", counters);
    if (!std::exchange(level.moved, true)) unit.counter(track, {}, name, level.shown);
    unit.counter(track, gauge.busy ? sampled_ : sample.at, name, now);
    level.shown = now;
  }
  sampled_ = sample.at;
  if (!unit.empty()) events_.add(std::move(unit));
}

}  // namespace gicsim::exports
