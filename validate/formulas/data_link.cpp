// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/formulas/data_link.h"

#include <cmath>

#include "models/pcie/link.h"
#include "models/pcie/replay_timer.h"

namespace gicsim::formulas {

double packet_error(double ber, Bytes length) {
  return -std::expm1(8 * static_cast<double>(length.count()) * std::log1p(-ber));
}

double Retry::picoseconds_per_tlp() const {
  const auto ps = [](Picoseconds t) { return static_cast<double>(t.count()); };
  const double failed = content + framing;
  return ps(tlp) + content * ps(nak) + framing * ps(gap) + ack_framing * ps(recovery) +
         failed * failed / (1 - failed) * ps(time_out);
}

Retry retry(const pcie::LinkParams& link, Bytes payload) {
  const Bytes wire = pcie::on_wire(link, {.length = payload, .address = Address{1} << 32});
  const BitRate rate = pcie::rate(link);
  const double p = link.ber.value();
  const bool streams = link.generation >= 3;
  Retry r;
  r.tlp = wire / rate;
  const auto whole = [&](Picoseconds t) { return (t + r.tlp - 1_ps) / r.tlp * r.tlp; };
  const Picoseconds found = r.tlp + link.latency, back = link.ack / rate + link.latency;
  r.nak = whole(found + back);
  r.gap = streams ? found + link.retrain + r.nak : whole(r.tlp + found + back);
  r.recovery = streams ? link.retrain : Picoseconds{};
  const Picoseconds limit = link.replay_timer > Picoseconds{}
                                ? link.replay_timer
                                : pcie::replay_timer_limit(link.generation, link.lanes, payload);
  r.time_out = whole(r.tlp + limit);
  r.framing = packet_error(p, streams ? 4_B : 2_B);
  r.content = packet_error(p, wire) - r.framing;
  r.ack_framing = streams ? packet_error(p, 2_B) : 0;
  return r;
}

}  // namespace gicsim::formulas
