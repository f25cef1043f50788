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
      way_(params.fec + params.flight),
      loss_(params, seed, this->name()) {
  in.bind(*this);
}

void Wire::disturb(const Errors& errors, std::uint64_t seed) {
  if (errors.burst.to_bad > Probability{} || errors.burst.loss_good > Probability{})
    loss_.in_bursts(errors.burst, seed, name());
  if (params_.stress_ber) loss_.under_stress(errors.stress, seed, name());
  if (errors.fec.code != FecCode::lumped) {
    fec_.emplace(errors.fec, params_.rate, seed, name());
    coded_ = errors.fec.code != FecCode::none;
    way_ = params_.flight + fec_latency(errors.fec, params_.rate);
  }
  if (!errors.retry.on) return;
  way_ += errors.retry.latency;
  retry_.emplace(errors.retry, params_.rate, way_);
  retry_name_ = std::string(name()) + ".retry";
}

Picoseconds Wire::send(const Packet& packet, Picoseconds ready) {
  const bool lost = !is_link_control(packet.kind) && loss_.takes(packet);
  if (!stopped_ && waiting_.empty()) [[likely]]
    return transmit(packet, ready, lost);
  if (waiting_.empty()) kept_waiting_ = std::max(ready, kernel_.now());
  waiting_.push_back({packet, ready, lost, false});
  return Picoseconds::max();
}

Picoseconds Wire::transmit(const Packet& packet, Picoseconds ready, bool lost) {
  Picoseconds from = std::max(ready, kernel_.now());
  if (retry_) from = retry_->room_at(packet.wire, std::max(from, serialiser_.free_at()));
  Sending sending{packet, ready, lost};
  sending.first = sending.slot = serialiser_.send(from, packet.wire);
  stats_.packets += 1;
  stats_.payload += packet.payload;
  stats_.wire += packet.wire;
  stats_.busy += sending.slot.end - sending.slot.start;
  if (fec_ || retry_ || !outages_.empty()) [[unlikely]]
    guard(sending);
  if (packet.ledger) packet.ledger->waited(sending.first.start - ready - sending.held);
  if (sending.lost) {
    ++stats_.lost;
    stats_.payload_lost += packet.payload;
    stats_.wire_lost += packet.wire;
    lose(packet, sending.slot);
    return sending.first.end;
  }
  const Picoseconds due = sending.slot.end + way_;
  const Picoseconds retried = sending.held + sending.slot.end - sending.first.end;
  flying_.push({packet, sending.slot.start, sending.slot.end, retried}, due);
  stats_.queued_peak = std::max(stats_.queued_peak, static_cast<Count>(flying_.size()));
  kernel_.at<&Wire::on_arrived>(due, this, lane_);
  return sending.first.end;
}

void Wire::lose(const Packet& packet, Slot slot, bool again) {
  sent_.announce([&] { return PacketSent{packet, name(), slot.start, slot.end, true, again}; });
}

/// What codewords, outages and retries make of a packet that has its time on the serialiser.
void Wire::guard(Sending& sending) {
  const auto out = [&](Picoseconds begin, Picoseconds end) { return down(outages_, begin, end); };
  Slot& slot = sending.slot;
  sending.lost |= damaged(sending.packet, slot);
  if (out(slot.start, slot.end + way_)) [[unlikely]] {
    if (out(slot.start, slot.start)) ++outage_stats_.discarded, outage_stats_.discarded_wire += sending.packet.wire;
    sending.lost = true;
    return;
  }
  if (!retry_) return;
  if (retry_until_ > sending.ready)
    sending.held = std::min(retry_until_ - std::max(sending.ready, retry_from_), slot.start - sending.ready);
  RetryStats& stats = retry_->stats();
  const RetryParams& params = retry_->params();
  for (Count n = 0; sending.lost && n < params.retries; ++n) {
    lose(sending.packet, slot, true);
    slot = serialiser_.send(std::max(serialiser_.free_at(), retry_->again_at(slot.end)), sending.packet.wire);
    stats_.busy += slot.end - slot.start;
    ++stats.retries;
    stats.resent += sending.packet.wire;
    const bool taken = loss_.takes(sending.packet), wrong = damaged(sending.packet, slot);
    sending.lost = taken || wrong || out(slot.start, slot.end + way_);
  }
  stats.time += slot.end - sending.first.end;
  if (sending.lost) {
    ++stats.given_up;
    stats.recovery += params.recovery;
    serialiser_.send(slot.end + params.recovery, 0_B);
  } else {
    retry_->keep(sending.packet.wire, slot.end);
    if (slot.end == sending.first.end) return;
  }
  retry_from_ = sending.first.end;
  retry_until_ = serialiser_.free_at();
}

/// Said at the receiver; the sender hears of it as late as of anything else.
void Wire::pause(bool on) {
  const Picoseconds due = kernel_.now() + way_;
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
  if (!waiting_.empty()) stats_.xmit_wait += (now - std::clamp(kept_waiting_, stopped_at_, now)) / params_.tick;
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
    if (waiting_.empty()) kept_waiting_ = now;
    waiting_.push_front({packet, flying.first_bit, false, true});
  }
  if (serialiser_.free_at() <= now || waiting_.empty()) return;
  const Picoseconds until = flying_.empty() ? now : std::max(now, flying_.back().last_bit);
  retry_until_ = {};
  serialiser_ = Serialiser(params_.rate);
  serialiser_.send(until, 0_B);
}

/// One event a packet that was begun: those of packets that gave up their places find nobody.
void Wire::on_arrived() {
  const auto arrived = flying_.pop_due(kernel_.now());
  if (!arrived) return;
  const Packet& packet = arrived->packet;
  if (Ledger* ledger = packet.ledger) {
    ledger->close(Stage::serialise, name(), arrived->last_bit - arrived->retried);
    ledger->close(Stage::retransmit, retry_name_.c_str(), arrived->last_bit);
    ledger->close(Stage::propagate, name(), kernel_.now());
  }
  sent_.announce([&] { return PacketSent{packet, name(), arrived->first_bit, arrived->last_bit}; });
  far_->arrive(packet);
}

void Wire::check_books() const {
  if (const auto inside = flying_.size() + static_cast<Count>(waiting_.size()); inside != 0)
    throw ModelError(name(), kernel_.now(), std::to_string(inside) + " packets still inside");
  if (stats_.wire / params_.rate > kernel_.now())
    throw ModelError(name(), kernel_.now(), std::to_string(stats_.wire.count()) + " B are more than its rate allows");
}

}  // namespace gicsim::link
