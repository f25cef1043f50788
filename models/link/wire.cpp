// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "models/link/wire.h"

#include <algorithm>
#include <string>

#include "models/base/errors.h"

namespace gicsim::link {

PacketOverhead overhead(Protocol protocol) {
  return protocol == Protocol::infiniband ? infiniband_overhead : rocev2_overhead;
}

Wire::Wire(sc_core::sc_module_name name, Kernel& kernel, const WireParams& params, Kernel::Lane lane,
           Probe<PacketSent>& sent, std::uint64_t seed)
    : sc_module(name),
      kernel_(kernel),
      params_(params),
      lane_(lane),
      sent_(sent),
      serialiser_(params.rate),
      loss_(params, seed, this->name()) {
  in.bind(*this);
}

Picoseconds Wire::send(const Packet& packet, Picoseconds ready) {
  const bool lost = !is_link_control(packet.kind) && loss_.takes(packet);
  if (!stopped_ && waiting_.empty()) [[likely]]
    return transmit(packet, ready, lost);
  waiting_.push_back({packet, ready, lost, false});
  return Picoseconds::max();
}

Picoseconds Wire::transmit(const Packet& packet, Picoseconds ready, bool lost) {
  const auto slot = serialiser_.send(std::max(ready, kernel_.now()), packet.wire);
  stats_.packets += 1;
  stats_.payload += packet.payload;
  stats_.wire += packet.wire;
  stats_.busy += slot.end - slot.start;
  if (packet.ledger) packet.ledger->waited(slot.start - ready);
  if (lost) {
    ++stats_.lost;
    stats_.payload_lost += packet.payload;
    sent_.announce([&] { return PacketSent{packet, name(), slot.start, slot.end, true}; });
    return slot.end;
  }
  const Picoseconds due = slot.end + params_.fec + params_.flight;
  flying_.push({packet, slot.start, slot.end}, due);
  stats_.queued_peak = std::max(stats_.queued_peak, static_cast<Count>(flying_.size()));
  kernel_.at<&Wire::on_arrived>(due, this, lane_);
  return slot.end;
}

/// Said at the receiver; the sender hears of it as late as of anything else.
void Wire::pause(bool on) {
  const Picoseconds due = kernel_.now() + params_.fec + params_.flight;
  pausing_.push(on, due);
  kernel_.at<&Wire::on_pause>(due, this, lane_);
}

void Wire::on_pause() {
  const Picoseconds now = kernel_.now();
  if (*pausing_.pop_due(now)) {
    ++stats_.pauses;
    stopped_ = true;
    stopped_at_ = now;
    return take_back();
  }
  stats_.paused += now - stopped_at_;
  stopped_ = false;
  while (!waiting_.empty()) {
    const Waiting next = waiting_.front();
    waiting_.pop_front();
    const Picoseconds left = transmit(next.packet, next.ready, next.lost);
    if (source_ && !next.told) source_->on_sent(next.packet, left);
  }
}

/// Packets that were to begin later have their places on the serialiser already: they give them back.
void Wire::take_back() {
  const Picoseconds now = kernel_.now();
  while (!flying_.empty() && flying_.back().first_bit >= now) {
    const Flying flying = flying_.take_back();
    const Packet& packet = flying.packet;
    stats_.packets -= 1;
    stats_.payload -= packet.payload;
    stats_.wire -= packet.wire;
    stats_.busy -= flying.last_bit - flying.first_bit;
    waiting_.push_front({packet, flying.first_bit, false, true});
  }
  if (serialiser_.free_at() <= now || waiting_.empty()) return;
  const Picoseconds until = flying_.empty() ? now : std::max(now, flying_.back().last_bit);
  serialiser_ = Serialiser(params_.rate);
  serialiser_.send(until, 0_B);
}

/// One event a packet that was begun: those of packets that gave up their places find nobody.
void Wire::on_arrived() {
  const auto arrived = flying_.pop_due(kernel_.now());
  if (!arrived) return;
  const Packet& packet = arrived->packet;
  if (Ledger* ledger = packet.ledger) {
    ledger->close(Stage::serialise, name(), arrived->last_bit);
    ledger->close(Stage::propagate, name(), kernel_.now());
  }
  sent_.announce([&] { return PacketSent{packet, name(), arrived->first_bit, arrived->last_bit, false}; });
  far_->arrive(packet);
}

void Wire::check_books() const {
  if (const auto inside = flying_.size() + static_cast<Count>(waiting_.size()); inside != 0)
    throw ModelError(name(), kernel_.now(), std::to_string(inside) + " packets still inside");
  if (stats_.wire / params_.rate > kernel_.now())
    throw ModelError(name(), kernel_.now(), std::to_string(stats_.wire.count()) + " B are more than its rate allows");
}

}  // namespace gicsim::link
